/**
 * Attributes of a document or vendor (0: RFCs): `number name [kind] [tag] [secret]`, comma-separated. Default kind is text;
 * `int` is 32 bits, `ifid` eight bytes, `tag` as in RFC 2868, `secret` encrypted.
 */
export interface AttributeTable {
  readonly source: string;
  readonly vendor: number;
  readonly attributes: string;
}
