import { Select } from "../../pages/parts/field.tsx";
import { zoneNames } from "../../../domain/core/time/zones.ts";

export interface ZoneProps {
  name: string;
  label: string;
  help?: string;
  fault?: string | undefined;
  value: string;
  /** What the empty choice is called. */
  first: string;
  /** A script selects the browser's zone: whoever sets up mostly sits there. */
  isGuessed?: boolean;
}

export function ZoneSelect({ first, isGuessed = false, ...field }: ZoneProps) {
  const options = zoneNames().map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }));
  return (
    <Select
      {...field}
      options={[{ value: "", label: first }, ...options]}
      attributes={isGuessed ? { "data-zone": "guess" } : {}}
    />
  );
}
