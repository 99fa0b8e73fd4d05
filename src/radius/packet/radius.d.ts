// The package has no types; these are the parts that codec.ts uses.
declare module "radius" {
  const radius: {
    _load_dictionary(dictionary: string): void;
    _attr_to(attribute: string | number, vendor: number, field: number): unknown;
    decode_attributes(bytes: Buffer, into: Record<string, unknown>, vendor: number): void;
    encode_attributes(into: Buffer, attributes: readonly (readonly unknown[])[], vendor: number): number;
  };
  export default radius;
}

declare module "radius/dictionaries/*" {
  const dictionary: string;
  export default dictionary;
}
