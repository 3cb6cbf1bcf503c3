# What joins the namespaces of namespaces.sh, which reads this file: a bridge, or, where there is none, routes.
#   controller  its namespace; that of a host is this and its name
#   network     the first three parts of the addresses
# shellcheck shell=bash
: "${controller:?}" "${network:?}"
bridge=

on_controller() {
  ip -n "$controller" "$@"
}

# What joins the hosts. A lab's kernel has cables as a module.
join() {
  local veth
  veth=/usr/lib/uml/modules/$(uname -r)/kernel/drivers/net/veth.ko
  [[ ! -e $veth || -d /sys/module/veth ]] || insmod "$veth"
  if [[ -z ${ECHO_LADDER_ROUTED-} ]] && on_controller link add bridge0 type bridge 2>/dev/null; then
    bridge=bridge0
    on_controller address add "$network.1/16" dev bridge0
    on_controller link set bridge0 up
  else
    ip netns exec "$controller" sh -c 'cd /proc/sys/net/ipv4 && echo 1 >ip_forward && echo 1 >conf/default/proxy_arp'
  fi
}

# The cable of a host and its number, from 11.
plug() {
  local cable=to-$1
  ip link add "$cable" netns "$controller" type veth peer name eth0 netns "$controller-$1"
  on_controller link set "$cable" ${bridge:+master $bridge} up
  [[ -z $bridge ]] || return 0
  on_controller address add "$network.1/32" dev "$cable"
  on_controller route add "$network.$2/32" dev "$cable" src "$network.1"
  (($2 == 11)) || on_controller route add "${network%.*}.$(($2 - 11)).0/24" dev "$cable" src "$network.1"
}
