import ts from "typescript";

/** What a value may be, as the store has it: `other` is nothing that a column gives. */
export type Kind = "number" | "string" | "bytes" | "null" | "anything" | "other";

export interface Property {
  readonly isOptional: boolean;
  readonly kinds: ReadonlySet<Kind>;
}

/** What a call says of its rows: one shape, or several of which each row has one. */
export interface Row {
  readonly name: string;
  readonly shapes: readonly ReadonlyMap<string, Property>[];
  /** Columns of any name. */
  readonly isOpen: boolean;
}

/** undefined for a type that says nothing of columns. */
export function readRowType(type: ts.Type, checker: ts.TypeChecker): Row | undefined {
  const objectTypes = ts.TypeFlags.Object | ts.TypeFlags.Intersection | ts.TypeFlags.Union;
  const types = (type.isUnion() ? type.types : [type]).filter(({ flags }) => (flags & objectTypes) !== 0);
  if (types.length === 0) return undefined;
  return {
    name: checker.typeToString(type),
    shapes: types.map(
      (one) => new Map(checker.getPropertiesOfType(one).map((of) => [of.name, toProperty(of, checker)])),
    ),
    isOpen: types.some((one) => isOpen(one, checker)),
  };
}

/** Whether a type has properties of any name, or of names that are a parameter of the function around it. */
function isOpen(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.isIntersection()) return type.types.some((part) => isOpen(part, checker));
  const isMapped = ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) !== 0;
  return (
    checker.getIndexInfosOfType(type).length > 0 ||
    (isMapped && checker.getPropertiesOfType(type).length === 0)
  );
}

function toProperty(symbol: ts.Symbol, checker: ts.TypeChecker): Property {
  return {
    isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
    kinds: new Set(listKinds(checker.getTypeOfSymbol(symbol), checker)),
  };
}

function listKinds(type: ts.Type, checker: ts.TypeChecker): Kind[] {
  const { flags } = type;
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return ["anything"];
  if (flags & (ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike)) return ["number"];
  if (flags & ts.TypeFlags.StringLike) return ["string"];
  if (flags & ts.TypeFlags.Null) return ["null"];
  if (flags & ts.TypeFlags.Undefined) return [];
  if (flags & ts.TypeFlags.BooleanLike) return ["other"];
  if (type.isUnion()) return type.types.flatMap((one) => listKinds(one, checker));
  // a number or text with a mark of its own is what it is without
  if (type.isIntersection())
    return type.types
      .flatMap((one) => listKinds(one, checker))
      .filter((kind) => kind !== "other")
      .slice(0, 1);
  if (flags & ts.TypeFlags.TypeParameter) return ["anything"];
  return checker.getPropertyOfType(type, "byteLength") ? ["bytes"] : ["other"];
}
