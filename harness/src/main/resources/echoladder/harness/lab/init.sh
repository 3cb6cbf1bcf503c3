#!/bin/bash
# The first process of a User Mode Linux guest. Its root is the host's own file system (hostfs), under a scratch in its
# memory that takes what is written; only what is written below the folders in `writable` is on the host. Limits, network,
# processes and /proc are its own. The host's harness reads the lines of `events` and answers on the console. Beside this
# file lie: writable (folders, this one too; without this file the whole host is), knobs (settings to show), apply (settings to make),
# environment, command.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
lab=${0%/*}
say() { printf '%s\n' "$*" >>"$lab/events"; }
uptime() { read -r up _ </proc/uptime && echo "$up"; }
off() {
  sync
  echo o >/proc/sysrq-trigger
  sleep 60 # The harness ends a guest that does not power off.
}

# Puts a scratch over the host's files; false where this kernel cannot. With -n mount keeps no list in the host's /run.
scratch() {
  local new=$lab/root path
  grep -qw overlay /proc/filesystems ||
    insmod "/usr/lib/uml/modules/$(uname -r)/kernel/fs/overlayfs/overlay.ko" || return
  mount -n -t tmpfs -o size=25% tmpfs "$lab/scratch" && mkdir "$lab/scratch/upper" "$lab/scratch/work" || return
  mount -n -t overlay -o "lowerdir=/,upperdir=$lab/scratch/upper,workdir=$lab/scratch/work" overlay "$new" || return
  while IFS= read -r path; do
    mount -n --bind "$path" "$new$path" || return
  done <"$lab/writable"
  mount -n --move /proc "$new/proc" && cd "$new" && pivot_root . ".$lab/old" && cd / && umount -n -l "$lab/old" &&
    mount -n -t devtmpfs devtmpfs /dev
}

mount -t proc proc /proc
# A guest that restarts, after a panic say, must not run the command again.
[[ ! -e $lab/events ]] || off
started=$(uptime)
[[ ! -e $lab/writable ]] || scratch || say "trouble there is no scratch over the host's files (insmod of the package" \
  "kmod, and overlay.ko of user-mode-linux, make one): what is written is on the host at once, or is refused"
mount -t sysfs sysfs /sys
mount -t cgroup2 cgroup2 /sys/fs/cgroup
[[ -c /dev/null ]] || mount -t devtmpfs devtmpfs /dev
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
ln -s /proc/self/fd /dev/fd
for i in 0:in 1:out 2:err; do ln -s "/proc/self/fd/${i%:*}" "/dev/std${i#*:}"; done
# JVMs take the files of others here, whose processes they do not see, for left-overs and delete them.
perf=/tmp/hsperfdata_root
if mkdir "$perf" 2>/dev/null; then echo "$perf" >"$lab/made"; fi
mount -t tmpfs -o mode=755 tmpfs "$perf"
echo localhost >/proc/sys/kernel/hostname
ip link set lo up || say "trouble the loopback interface is down"
# TLS in the kernel, with its cipher, for servers that ask for it: they say so where it is missing.
for module in crypto/gf128mul crypto/ghash-generic crypto/gcm crypto/ctr net/tls/tls; do
  insmod "/usr/lib/uml/modules/$(uname -r)/kernel/$module.ko" 2>/dev/null
done
mounted=$(uptime)

# The settings as this kernel has them, for the harness to compare with the profile.
while IFS= read -r knob; do
  { IFS= read -r value <"/proc/sys/$knob"; } 2>/dev/null && printf '%s\n' "$value" >"$lab/sys/$knob"
done <"$lab/knobs"
say "present"
IFS= read -r answer
[[ $answer == apply ]] || off
while read -r knob value; do
  { echo "$value" >"/proc/sys/$knob"; } 2>/dev/null || say "trouble $knob was not set to $value"
done <"$lab/apply"
read -r nofile </proc/sys/fs/nr_open
if ! { ulimit -n "$nofile" && ulimit -u unlimited && ulimit -l unlimited; }; then
  say "trouble limits of processes could not be raised"
fi
read -r _ total _ </proc/meminfo
say "ready started=$started mounted=$mounted ready=$(uptime) nofile=$(ulimit -n) memory_kib=$total" \
  "kernel=$(uname -r)"

IFS= read -r answer
[[ $answer == run ]] || off
set -m # The command leads a process group, and SIGINT is not ignored in it.
(
  # shellcheck source=/dev/null
  . "$lab/environment"
  # shellcheck source=/dev/null
  . "$lab/command"
) >>"$lab/stdout" 2>>"$lab/stderr" </dev/null &
command=$!
{
  while IFS= read -r signal && [[ $signal != off ]]; do
    kill "-$signal" -- "-$command"
  done
  off
} </dev/console &
wait "$command"
status=$?
sync
say "status $status $(uptime)"
off
