/** What a router is, by which it is told rates and asked about sessions. `generic`: by the attributes of the RFCs and of WISPr. */
export const nasKinds = ["mikrotik", "accel-ppp", "cisco", "huawei", "juniper", "generic"] as const;
export type NasKind = (typeof nasKinds)[number];
