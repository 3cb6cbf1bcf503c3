#!/usr/bin/env bash
# Hosts to try things with, on one machine and as root: network namespaces, each with an sshd of its own key, configuration
# and address, on a bridge in the namespace of the controller. A host has a /run, /var/lib and /etc/security of its own; its
# other files, its processes and its kernel are this machine's. The first host goes to the group servers, the others to
# clients. Where the kernel has no bridge, as a lab's has none, or with ECHO_LADDER_ROUTED=1, the controller routes between
# the hosts: to 10.78.0.11 and so on, and to 10.78.1.0/24 of the first client, 10.78.2.0/24 of the second, and so on.
#   deploy/namespaces.sh up DIR server-1 client-1 client-2   # files for ssh, and inventory.yml, go to DIR
#   ip netns exec ladder ansible-playbook -i DIR/inventory.yml deploy/check.yml
#   deploy/namespaces.sh down DIR server-1 client-1 client-2
set -euo pipefail
[[ $# -ge 3 && ($1 == up || $1 == down) ]] || {
  sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2
  exit 2
}
verb=$1
mkdir -p "$2"
dir=$(readlink -f "$2")
hosts=("${@:3}")
controller=${ECHO_LADDER_NAMESPACE:-ladder} # That of a host is this and its name.
network=10.78.0
# shellcheck disable=SC1091 # It is checked by itself.
. "$(dirname "$(readlink -f "$0")")/cables.sh"

sshd() {
  local host=$1 address=$2
  mkdir -p "$dir/$host/home"
  ssh-keygen -q -t ed25519 -N '' -C '' -f "$dir/$host/host_key"
  echo "$address $(<"$dir/$host/host_key.pub")" >>"$dir/known_hosts"
  printf '%s\n' "ListenAddress $address" "HostKey $dir/$host/host_key" "AuthorizedKeysFile $dir/key.pub" \
    "PermitRootLogin prohibit-password" "PasswordAuthentication no" "StrictModes no" "UsePAM no" "PidFile none" \
    "Subsystem sftp internal-sftp" "SetEnv HOME=$dir/$host/home" >"$dir/$host/sshd_config"
  # shellcheck disable=SC2016 # For the shell in there.
  ip netns exec "$controller-$host" sh -c '
    for own in /run /var/lib /etc/security; do mount -t tmpfs -o mode=755 tmpfs $own || exit; done
    mkdir -m 755 /run/sshd /etc/security/limits.d
    exec "$(command -v sshd)" -D -e -f "$1"' sshd "$dir/$host/sshd_config" </dev/null >"$dir/$host/sshd.log" 2>&1 &
  echo $! >"$dir/$host/sshd.pid"
}

listens() {
  local host=$1 address=$2 tries
  for ((tries = 0; tries < 200; tries++)); do
    ! ip netns exec "$controller" bash -c "</dev/tcp/$address/22" 2>/dev/null || return 0
    kill -0 "$(<"$dir/$host/sshd.pid")" 2>/dev/null || break
    sleep 0.1
  done
  echo "namespaces.sh: the sshd of $host does not listen; it said: $(<"$dir/$host/sshd.log")" >&2
  return 1
}

up() {
  local host number=10 group=servers
  ssh-keygen -q -t ed25519 -N '' -C '' -f "$dir/key"
  printf '%s\n' "UserKnownHostsFile $dir/known_hosts" "GlobalKnownHostsFile /dev/null" "StrictHostKeyChecking yes" \
    "IdentitiesOnly yes" >"$dir/ssh_config"
  ip netns add "$controller"
  on_controller link set lo up
  join
  printf '%s\n' "all:" "  vars:" "    ansible_user: root" "    ansible_python_interpreter: /usr/bin/python3" \
    "    ansible_pipelining: true" "    ansible_ssh_private_key_file: $dir/key" \
    "    ansible_ssh_common_args: -F $dir/ssh_config" "  children:" >"$dir/inventory.yml"
  for host in "${hosts[@]}"; do
    ((++number))
    ip netns add "$controller-$host"
    plug "$host" "$number"
    ip -n "$controller-$host" address add "$network.$number/16" dev eth0
    ip -n "$controller-$host" link set eth0 up
    ip -n "$controller-$host" link set lo up
    sshd "$host" "$network.$number"
    [[ -z $group ]] || printf '%s\n' "    $group:" "      hosts:"
    printf '%s\n' "        $host:" "          ansible_host: $network.$number" "          ansible_remote_tmp: $dir/$host/tmp" \
      "          echo_ladder_address: $network.$number"
    group=$([[ $group != servers ]] || echo clients)
  done >>"$dir/inventory.yml"
  for ((number = 0; number < ${#hosts[@]}; number++)); do
    listens "${hosts[number]}" "$network.$((number + 11))"
  done
}

# A cable lives as long as any process of its namespace.
down() {
  local space
  for space in "${hosts[@]/#/$controller-}" "$controller"; do
    ip netns pids "$space" 2>/dev/null | xargs -r kill -KILL || true
    ip netns del "$space" 2>/dev/null || true
  done
}

"$verb"
