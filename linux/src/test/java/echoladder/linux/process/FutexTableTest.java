package echoladder.linux.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** This JVM has several threads, and so a table where the kernel knows of them. */
class FutexTableTest {
  @Test
  void isResizedWhereTheKernelHasOne() throws IOException {
    if (FutexTable.slots() == 0) {
      assertThatThrownBy(() -> FutexTable.resize(1024)).isInstanceOf(IOException.class).hasMessageContaining("from 6.17 on");
      return;
    }
    FutexTable.resize(1024);
    assertThat(FutexTable.slots()).isEqualTo(1024);
  }

  @Test
  void takesPowersOfTwoAlone() {
    assertThatThrownBy(() -> FutexTable.resize(1000)).isInstanceOf(IOException.class).hasMessageContaining("1,000 slots: EINVAL");
  }
}
