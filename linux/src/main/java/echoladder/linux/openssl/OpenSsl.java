package echoladder.linux.openssl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The functions of OpenSSL 3 that TLS here needs, by their own names. Pointers are longs, so that no call allocates. The class cannot be
 * used where {@link OpenSslLibraries#missing} says why.
 */
public final class OpenSsl {
  // What an error or a version takes at most, and more than that.
  private static final int TEXT_BYTES = 4096;

  // openssl/ssl.h, openssl/bio.h, openssl/x509_vfy.h, openssl/err.h, openssl/pemerr.h, openssl/evp.h, openssl/crypto.h of OpenSSL 3.
  public static final int SSL_ERROR_WANT_READ = 2;
  public static final int SSL_ERROR_WANT_WRITE = 3;
  public static final int SSL_ERROR_ZERO_RETURN = 6;
  public static final int SSL_SENT_AND_RECEIVED_SHUTDOWN = 3;
  public static final int SSL_FILETYPE_PEM = 1;
  public static final int SSL_VERIFY_PEER = 1;
  public static final int SSL_CTRL_MODE = 33;
  public static final int SSL_CTRL_SET_SESS_CACHE_MODE = 44;
  public static final int SSL_CTRL_SET_TLSEXT_HOSTNAME = 55;
  public static final int SSL_CTRL_SET_GROUPS_LIST = 92;
  public static final int SSL_CTRL_SET_MIN_PROTO_VERSION = 123;
  public static final int SSL_CTRL_SET_MAX_PROTO_VERSION = 124;
  public static final long SSL_MODE_ENABLE_PARTIAL_WRITE = 0x1;
  public static final long SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER = 0x2;
  public static final long SSL_MODE_RELEASE_BUFFERS = 0x10;
  public static final long SSL_OP_CIPHER_SERVER_PREFERENCE = 1L << 22;
  public static final long SSL_OP_NO_RENEGOTIATION = 1L << 30;
  public static final int TLS_1_2 = 0x0303;
  public static final int TLS_1_3 = 0x0304;
  /** As SSL_CIPHER_get_id tells it: the number of RFC 8446, B.4, below OpenSSL's own 3. */
  public static final int TLS_AES_128_GCM_SHA256 = 0x03001301;
  public static final int BIO_CTRL_INFO = 3;
  public static final long X509_V_OK = 0;
  public static final long X509_V_ERR_HOSTNAME_MISMATCH = 62;
  public static final long X509_V_ERR_IP_ADDRESS_MISMATCH = 64;
  public static final int ERR_LIB_SSL = 20;
  public static final int ERR_LIB_OFFSET = 23;
  public static final int ERR_REASON_MASK = 0x7FFFFF;
  public static final int PEM_R_NO_START_LINE = 108;
  public static final int EVP_CTRL_AEAD_GET_TAG = 0x10;
  public static final int EVP_CTRL_AEAD_SET_TAG = 0x11;
  public static final long OPENSSL_INIT_NO_ATEXIT = 0x00080000;
  /** Reasons of alerts that the peer sent begin here: the alert's number is added. */
  public static final int SSL_AD_REASON_OFFSET = 1000;

  /** All memory, for bytes that are known by their address: a segment for each of them would be garbage. */
  public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup SSL = SymbolLookup.libraryLookup(OpenSslLibraries.SSL, Arena.global());
  private static final SymbolLookup CRYPTO = SymbolLookup.libraryLookup(OpenSslLibraries.CRYPTO, Arena.global());

  public static final MethodHandle TLS_CLIENT_METHOD = ssl("TLS_client_method", JAVA_LONG);
  public static final MethodHandle TLS_SERVER_METHOD = ssl("TLS_server_method", JAVA_LONG);
  public static final MethodHandle CTX_NEW = ssl("SSL_CTX_new", JAVA_LONG, JAVA_LONG);
  public static final MethodHandle CTX_FREE = ssl("SSL_CTX_free", null, JAVA_LONG);
  public static final MethodHandle CTX_CTRL = ssl("SSL_CTX_ctrl", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle CTX_SET_OPTIONS = ssl("SSL_CTX_set_options", JAVA_LONG, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle CTX_SET_CIPHERSUITES = ssl("SSL_CTX_set_ciphersuites", JAVA_INT, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle CTX_SET_CIPHER_LIST = ssl("SSL_CTX_set_cipher_list", JAVA_INT, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle CTX_SET_VERIFY = ssl("SSL_CTX_set_verify", null, JAVA_LONG, JAVA_INT, JAVA_LONG);
  public static final MethodHandle CTX_DEFAULT_PATHS = ssl("SSL_CTX_set_default_verify_paths", JAVA_INT, JAVA_LONG);
  public static final MethodHandle CTX_USE_CHAIN_FILE = ssl("SSL_CTX_use_certificate_chain_file", JAVA_INT, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle CTX_USE_KEY_FILE = ssl("SSL_CTX_use_PrivateKey_file", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  public static final MethodHandle CTX_GET_CERT_STORE = ssl("SSL_CTX_get_cert_store", JAVA_LONG, JAVA_LONG);
  public static final MethodHandle CTX_GET0_PARAM = ssl("SSL_CTX_get0_param", JAVA_LONG, JAVA_LONG);
  public static final MethodHandle CTX_SET_ALPN_PROTOS = ssl("SSL_CTX_set_alpn_protos", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  public static final MethodHandle CTX_SET_KEYLOG_CALLBACK = ssl("SSL_CTX_set_keylog_callback", null, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle NEW = ssl("SSL_new", JAVA_LONG, JAVA_LONG);
  public static final MethodHandle FREE = ssl("SSL_free", null, JAVA_LONG);
  public static final MethodHandle SET_CONNECT_STATE = ssl("SSL_set_connect_state", null, JAVA_LONG);
  public static final MethodHandle SET_ACCEPT_STATE = ssl("SSL_set_accept_state", null, JAVA_LONG);
  public static final MethodHandle CTRL = ssl("SSL_ctrl", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle SET_BIO = ssl("SSL_set_bio", null, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle DO_HANDSHAKE = ssl("SSL_do_handshake", JAVA_INT, JAVA_LONG);
  public static final MethodHandle READ = ssl("SSL_read", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  public static final MethodHandle WRITE = ssl("SSL_write", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  public static final MethodHandle GET_ERROR = ssl("SSL_get_error", JAVA_INT, JAVA_LONG, JAVA_INT);
  public static final MethodHandle SHUTDOWN = ssl("SSL_shutdown", JAVA_INT, JAVA_LONG);
  public static final MethodHandle SET_SHUTDOWN = ssl("SSL_set_shutdown", null, JAVA_LONG, JAVA_INT);
  public static final MethodHandle GET1_SESSION = ssl("SSL_get1_session", JAVA_LONG, JAVA_LONG);
  public static final MethodHandle SET_SESSION = ssl("SSL_set_session", JAVA_INT, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle SESSION_REUSED = ssl("SSL_session_reused", JAVA_INT, JAVA_LONG);
  public static final MethodHandle SESSION_IS_RESUMABLE = ssl("SSL_SESSION_is_resumable", JAVA_INT, JAVA_LONG);
  public static final MethodHandle SESSION_FREE = ssl("SSL_SESSION_free", null, JAVA_LONG);
  public static final MethodHandle SET_EX_DATA = ssl("SSL_set_ex_data", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
  public static final MethodHandle GET_EX_DATA = ssl("SSL_get_ex_data", JAVA_LONG, JAVA_LONG, JAVA_INT);
  public static final MethodHandle HAS_PENDING = ssl("SSL_has_pending", JAVA_INT, JAVA_LONG);
  public static final MethodHandle GET_CURRENT_CIPHER = ssl("SSL_get_current_cipher", JAVA_LONG, JAVA_LONG);
  public static final MethodHandle CIPHER_GET_ID = ssl("SSL_CIPHER_get_id", JAVA_INT, JAVA_LONG);
  public static final MethodHandle GET_VERIFY_RESULT = ssl("SSL_get_verify_result", JAVA_LONG, JAVA_LONG);
  public static final MethodHandle VERIFY_ERROR_STRING = crypto("X509_verify_cert_error_string", JAVA_LONG, JAVA_LONG);
  public static final MethodHandle PARAM_SET_HOST = crypto("X509_VERIFY_PARAM_set1_host", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle PARAM_SET_IP = crypto("X509_VERIFY_PARAM_set1_ip_asc", JAVA_INT, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle STORE_ADD_CERT = crypto("X509_STORE_add_cert", JAVA_INT, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle X509_FREE = crypto("X509_free", null, JAVA_LONG);
  public static final MethodHandle PEM_READ_X509 = crypto("PEM_read_bio_X509", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle BIO_NEW_MEM_BUF = crypto("BIO_new_mem_buf", JAVA_LONG, JAVA_LONG, JAVA_INT);
  public static final MethodHandle BIO_S_MEM = crypto("BIO_s_mem", JAVA_LONG);
  public static final MethodHandle BIO_NEW = crypto("BIO_new", JAVA_LONG, JAVA_LONG);
  public static final MethodHandle BIO_UP_REF = crypto("BIO_up_ref", JAVA_INT, JAVA_LONG);
  public static final MethodHandle BIO_FREE = crypto("BIO_free", JAVA_INT, JAVA_LONG);
  public static final MethodHandle BIO_READ = crypto("BIO_read", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  public static final MethodHandle BIO_WRITE = crypto("BIO_write", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  public static final MethodHandle BIO_CTRL = crypto("BIO_ctrl", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle ERR_PEEK = crypto("ERR_peek_error", JAVA_LONG);
  public static final MethodHandle ERR_PEEK_LAST = crypto("ERR_peek_last_error", JAVA_LONG);
  public static final MethodHandle ERR_CLEAR = crypto("ERR_clear_error", null);
  public static final MethodHandle ERR_REASON = crypto("ERR_reason_error_string", JAVA_LONG, JAVA_LONG);
  public static final MethodHandle INIT_CRYPTO = crypto("OPENSSL_init_crypto", JAVA_INT, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle VERSION = crypto("OpenSSL_version", JAVA_LONG, JAVA_INT);
  public static final MethodHandle SHA256 = crypto("EVP_sha256", JAVA_LONG);
  public static final MethodHandle HMAC =
      crypto("HMAC", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  public static final MethodHandle AES_128_GCM = crypto("EVP_aes_128_gcm", JAVA_LONG);
  public static final MethodHandle CIPHER_CTX_NEW = crypto("EVP_CIPHER_CTX_new", JAVA_LONG);
  public static final MethodHandle CIPHER_CTX_FREE = crypto("EVP_CIPHER_CTX_free", null, JAVA_LONG);
  public static final MethodHandle CIPHER_CTX_CTRL = crypto("EVP_CIPHER_CTX_ctrl", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);
  public static final MethodHandle CIPHER_INIT =
      crypto("EVP_CipherInit_ex", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
  public static final MethodHandle CIPHER_UPDATE =
      crypto("EVP_CipherUpdate", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
  public static final MethodHandle CIPHER_FINAL = crypto("EVP_CipherFinal_ex", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private OpenSsl() {}

  /** A function of libssl; {@code result} null = void. */
  public static MethodHandle ssl(String name, @Nullable MemoryLayout result, MemoryLayout... arguments) {
    return handle(SSL, name, result, arguments);
  }

  private static MethodHandle crypto(String name, @Nullable MemoryLayout result, MemoryLayout... arguments) {
    return handle(CRYPTO, name, result, arguments);
  }

  private static MethodHandle handle(SymbolLookup library, String name, @Nullable MemoryLayout result, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        library.find(name).orElseThrow(),
        result == null ? FunctionDescriptor.ofVoid(arguments) : FunctionDescriptor.of(result, arguments));
  }

  /** The text that a function gave; a dash where it gave none. */
  public static String text(long address) {
    return address == 0 ? "-" : MemorySegment.ofAddress(address).reinterpret(TEXT_BYTES).getString(0);
  }

  /** The first error of this thread that OpenSSL still knows, which it then forgets. */
  public static String lastError() {
    try {
      long error = (long) ERR_PEEK.invokeExact();
      ERR_CLEAR.invokeExact();
      return error == 0 ? "unknown error" : text((long) ERR_REASON.invokeExact(error));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** A downcall throws only if its Java types do not match: a defect here. */
  public static AssertionError impossible(Throwable t) {
    return new AssertionError("binding of OpenSSL is broken", t);
  }
}
