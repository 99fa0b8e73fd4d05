/** Attributes that npm `radius` does not ship, in the format of its dictionaries. */
export const ownDictionary = `
# RFC 6911
ATTRIBUTE Framed-IPv6-Address 168 ipv6addr
ATTRIBUTE DNS-Server-IPv6-Address 169 ipv6addr
ATTRIBUTE Delegated-IPv6-Prefix-Pool 171 string
ATTRIBUTE Stateful-IPv6-Address-Pool 172 string

VENDOR Microsoft 311
BEGIN-VENDOR Microsoft
ATTRIBUTE MS-CHAP-Response 1 octets
ATTRIBUTE MS-CHAP-Error 2 octets
ATTRIBUTE MS-MPPE-Encryption-Policy 7 integer
ATTRIBUTE MS-MPPE-Encryption-Types 8 integer
ATTRIBUTE MS-CHAP-Domain 10 string
ATTRIBUTE MS-CHAP-Challenge 11 octets
ATTRIBUTE MS-CHAP-MPPE-Keys 12 octets encrypt=1
ATTRIBUTE MS-MPPE-Send-Key 16 octets encrypt=2
ATTRIBUTE MS-MPPE-Recv-Key 17 octets encrypt=2
ATTRIBUTE MS-CHAP2-Response 25 octets
ATTRIBUTE MS-CHAP2-Success 26 octets
ATTRIBUTE MS-Primary-DNS-Server 28 ipaddr
ATTRIBUTE MS-Secondary-DNS-Server 29 ipaddr
END-VENDOR Microsoft

VENDOR WISPr 14122
BEGIN-VENDOR WISPr
ATTRIBUTE WISPr-Location-ID 1 string
ATTRIBUTE WISPr-Location-Name 2 string
ATTRIBUTE WISPr-Logoff-URL 3 string
ATTRIBUTE WISPr-Redirection-URL 4 string
ATTRIBUTE WISPr-Bandwidth-Min-Up 5 integer
ATTRIBUTE WISPr-Bandwidth-Min-Down 6 integer
ATTRIBUTE WISPr-Bandwidth-Max-Up 7 integer
ATTRIBUTE WISPr-Bandwidth-Max-Down 8 integer
ATTRIBUTE WISPr-Session-Terminate-Time 9 string
END-VENDOR WISPr

VENDOR Mikrotik 14988
BEGIN-VENDOR Mikrotik
ATTRIBUTE Mikrotik-Recv-Limit 1 integer
ATTRIBUTE Mikrotik-Xmit-Limit 2 integer
ATTRIBUTE Mikrotik-Group 3 string
ATTRIBUTE Mikrotik-Rate-Limit 8 string
ATTRIBUTE Mikrotik-Realm 9 string
ATTRIBUTE Mikrotik-Host-IP 10 ipaddr
ATTRIBUTE Mikrotik-Mark-Id 11 string
ATTRIBUTE Mikrotik-Advertise-URL 12 string
ATTRIBUTE Mikrotik-Advertise-Interval 13 integer
ATTRIBUTE Mikrotik-Recv-Limit-Gigawords 14 integer
ATTRIBUTE Mikrotik-Xmit-Limit-Gigawords 15 integer
ATTRIBUTE Mikrotik-Wireless-PSK 16 string
ATTRIBUTE Mikrotik-Total-Limit 17 integer
ATTRIBUTE Mikrotik-Total-Limit-Gigawords 18 integer
ATTRIBUTE Mikrotik-Address-List 19 string
ATTRIBUTE Mikrotik-Delegated-IPv6-Pool 22 string
ATTRIBUTE Mikrotik-DHCP-Option-Set 23 string
ATTRIBUTE Mikrotik-Wireless-VLANID 26 integer
END-VENDOR Mikrotik
`;
