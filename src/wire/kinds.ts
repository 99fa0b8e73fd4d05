import { type TSchema, Type } from "@sinclair/typebox";

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const text = nullable(Type.String());
