import { type TSchema, Type } from "@sinclair/typebox";
import { profileStatuses } from "../domain/goods/subscribers/record.ts";

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const text = nullable(Type.String());
export const oneOf = <const V extends string>(...values: readonly V[]) =>
  Type.Union(values.map((value) => Type.Literal(value)));
export const profileStatus = Type.String({ enum: [...profileStatuses] });
