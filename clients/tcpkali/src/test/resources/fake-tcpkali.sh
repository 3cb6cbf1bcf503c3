#!/bin/bash
if [ "$1" = --version ]; then echo "@VERSION@"; exit 0; fi
while [ $# -gt 1 ]; do
  case "$1" in
    --connections) connections=$2; shift;;
    --statsd-port) statsd=$2; shift;;
    --statsd-latency-window) window=${2%s}; shift;;
  esac
  shift
done
target=$1
@FIRST@
exec 3<>/dev/udp/127.0.0.1/$statsd
for ((i = 0; i < @OPENED@; i++)); do
  exec {socket}<>/dev/tcp/${target%:*}/${target#*:}
done
echo "Ramped up to $connections connections." >&2
report() {
  echo "Total data sent:     1 KiB (1000 bytes)"
  echo "Total data received: 1 KiB (1000 bytes)"
  echo "TCP connect latency at percentiles: 0.1/0.2/0.3/0.4/0.5/0.6 ms (50/90/99/99.9/99.99/100%)"
  echo "Message latency at percentiles: 1/1/1/1/1/999 ms (50/90/99/99.9/99.99/100%)"
  echo "Test duration: 2.5 s."
  exit 64
}
trap report INT
quarters=0
# Bounded, should nobody end it.
while [ $quarters -lt 60 ]; do
  sleep 0.25
  quarters=$((quarters + 1))
  cat >&3 <<< "tcpkali.connections.total.out:$connections|g
tcpkali.traffic.data.sent:@BYTES@|c
tcpkali.traffic.data.rcvd:@BYTES@|c"
  if [ $((quarters % (4 * window))) = 0 ]; then
    cat >&3 <<< "tcpkali.latency.message.50:0.3|g
tcpkali.latency.message.90:0.5|g
tcpkali.latency.message.100:2.5|g
tcpkali.latency.message.mean:0.3|g
tcpkali.latency.message.max:2.5|g"
  fi
  @LAST@
done
report
