# SPDX-License-Identifier: GPL-2.0
"""Hot functions of the network."""

from __future__ import annotations

from hotcocci.tree.hot.scale import OPERATION, STEP, Hot

PLACES = (
    Hot(
        "net/core/dev.c",
        STEP,
        "__netif_receive_skb_core __dev_queue_xmit __dev_xmit_skb dev_hard_start_xmit validate_xmit_skb skb_tx_hash"
        " get_rps_cpu netif_receive_skb_list_internal enqueue_to_backlog process_backlog qdisc_pkt_len_init netdev_pick_tx"
        " napi_complete_done __napi_poll",
        "for each packet: Documentation/networking/scaling.rst",
    ),
    Hot(
        "net/core/gro.c",
        STEP,
        "dev_gro_receive napi_gro_receive gro_receive_skb skb_gro_receive gro_list_prepare",
        "for each packet: Documentation/networking/napi.rst",
    ),
    Hot(
        "net/core/flow_dissector.c",
        STEP,
        "__skb_flow_dissect __skb_get_hash_net __skb_flow_get_ports skb_flow_get_ports",
        "for each packet that is steered: Documentation/networking/scaling.rst",
    ),
    Hot(
        "net/core/skbuff.c",
        STEP,
        "__alloc_skb kfree_skbmem skb_release_data skb_release_head_state __kfree_skb consume_skb napi_build_skb"
        " ",
        "for each packet",
    ),
    Hot(
        "net/core/scm.c",
        OPERATION,
        "put_cmsg put_cmsg_scm_timestamping put_cmsg_notrunc __scm_send scm_detach_fds",
        "for each message with control data: 38ebcf5096a8 (scm: optimize put_cmsg())",
    ),
    Hot(
        "include/net/scm.h",
        OPERATION,
        "scm_send scm_recv scm_recv_unix scm_set_cred",
        "for each message of a Unix socket",
    ),
    Hot(
        "net/core/sock.c",
        OPERATION,
        "sock_setsockopt sk_setsockopt sk_getsockopt sock_def_readable sock_alloc_send_pskb sock_wfree sock_rfree",
        "for each message, and for options that servers set for each connection",
    ),
    Hot(
        "include/net/sock.h",
        STEP,
        "sk_user_ns sock_net_uid sk_stream_wspace sk_mem_charge sk_mem_uncharge",
        "called for packets and connections",
    ),
    Hot(
        "net/socket.c",
        OPERATION,
        "move_addr_to_kernel sendto recvfrom sendmsg recvmsg move_addr_to_user copy_msghdr_from_user __copy_msghdr ____sys_sendmsg ____sys_recvmsg"
        " ___sys_sendmsg ___sys_recvmsg __sys_sendto __sys_recvfrom do_recvmmsg __sys_sendmmsg __sys_accept4 sock_sendmsg"
        " sock_recvmsg sock_read_iter sock_write_iter do_sock_setsockopt do_sock_getsockopt",
        "for each message of a socket",
    ),
    Hot(
        "include/linux/sockptr.h",
        OPERATION,
        "copy_from_sockptr_offset copy_to_sockptr_offset",
        "for each option of a socket: sk_setsockopt(), sk_getsockopt()",
    ),
    Hot(
        "net/compat.c",
        OPERATION,
        "__get_compat_msghdr get_compat_msghdr",
        "for each message of a 32-bit program",
    ),
    Hot(
        "net/unix/af_unix.c",
        OPERATION,
        "unix_stream_sendmsg unix_stream_read_generic unix_dgram_sendmsg __unix_dgram_recvmsg maybe_add_creds",
        "for each message of a Unix socket",
    ),
    Hot(
        "net/ipv4/tcp.c",
        OPERATION,
        "tcp_sendmsg_locked tcp_recvmsg_locked tcp_poll tcp_push do_tcp_setsockopt do_tcp_getsockopt",
        "for each message of a connection",
    ),
    Hot(
        "net/ipv4/tcp_input.c",
        STEP,
        "tcp_rcv_established tcp_ack tcp_clean_rtx_queue tcp_data_queue tcp_validate_incoming tcp_rcv_state_process"
        " tcp_parse_options tcp_fast_parse_options",
        "for each packet of a connection: Documentation/networking/net_cachelines/tcp_sock.rst",
    ),
    Hot(
        "net/ipv4/tcp_output.c",
        STEP,
        "tcp_write_xmit __tcp_transmit_skb tcp_established_options tcp_options_write tcp_current_mss __tcp_select_window",
        "for each packet of a connection: Documentation/networking/net_cachelines/tcp_sock.rst",
    ),
    Hot(
        "net/ipv4/tcp_ipv4.c",
        STEP,
        "tcp_v4_rcv tcp_v4_do_rcv tcp_v4_fill_cb tcp_v4_early_demux",
        "for each packet of a connection",
    ),
    Hot(
        "net/ipv4/inet_hashtables.c",
        STEP,
        "__inet_lookup_established __inet_lookup_listener inet_lookup_reuseport compute_score inet_lhash2_lookup"
        " __inet_check_established __inet_hash_connect",
        "for each packet, and each new connection",
    ),
    Hot(
        "net/ipv4/ip_input.c",
        STEP,
        "ip_rcv ip_rcv_core ip_rcv_finish_core ip_local_deliver_finish ip_protocol_deliver_rcu",
        "for each packet",
    ),
    Hot(
        "net/ipv4/ip_output.c",
        STEP,
        "__ip_queue_xmit ip_finish_output2 __ip_finish_output ip_output ip_copy_addrs __ip_local_out",
        "for each packet",
    ),
    Hot(
        "net/ipv4/udp.c",
        STEP,
        "udp_sendmsg udp_recvmsg __udp4_lib_lookup __udp4_lib_rcv udp_queue_rcv_one_skb udp_send_skb udp4_lib_lookup2",
        "for each packet",
    ),
    Hot(
        "net/ipv4/fib_trie.c",
        STEP,
        "fib_table_lookup",
        "for each packet that is routed: Documentation/networking/fib_trie.rst",
    ),
    Hot(
        "net/ipv4/route.c",
        STEP,
        "ip_route_output_key_hash_rcu ip_route_input_slow ip_route_input_rcu ip_mkroute_input __mkroute_output",
        "for each packet that is routed",
    ),
    Hot(
        "net/ipv6/ip6_fib.c",
        STEP,
        "fib6_get_table fib6_node_lookup fib6_node_lookup_1",
        "for each packet that is routed",
    ),
)
