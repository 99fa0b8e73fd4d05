export const packageFields = {
  fields: {
    simultaneous_use: "Devices at once",
    idle_timeout: "Ends without traffic after",
    framed_pool: "Pool of addresses",
    address_list: "Address list",
    expired_pool: "Pool once it has ended",
    expired_address_list: "Address list once it has ended",
    framed_ipv6_pool: "IPv6 pool",
    delegated_ipv6_pool: "Delegated IPv6 pool",
    reply_attributes: "Further RADIUS attributes",
    address_pool: "Own address for each",
    delegated_ipv6_from: "Own IPv6 prefix for each",
  },
  fieldHelp: {
    simultaneous_use: "One where nothing is said",
    idle_timeout: "Empty: never",
    framed_pool: "Its name at the router",
    address_list: "For the router’s firewall",
    expired_pool: "This or the list leads to the pay page; neither: nobody gets in",
    expired_address_list: "For the walled garden",
    framed_ipv6_pool: "Its name at the router",
    delegated_ipv6_pool: "For prefixes behind the subscriber’s router",
    reply_attributes:
      "One on a line, such as Framed-Route=10.9.0.0/24. In place of ours of the same name; not once it has ended.",
    address_pool: "An address of this pool that stays theirs",
    delegated_ipv6_from: "A prefix of this pool that stays theirs",
  },
};
