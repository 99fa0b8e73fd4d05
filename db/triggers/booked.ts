import { bookColumns, bookKey } from "../book-keys.ts";
import { type BookTable, bookTables } from "../book-tables.ts";
import { after, endings, MARKING } from "./trigger.ts";

export const booked = (): string[] => bookTables.flatMap(bookedBy);

function bookedBy({ name, without, when, kept }: BookTable): string[] {
  const noted = (event: keyof typeof endings) => {
    const row = event === "DELETE" ? "OLD" : "NEW";
    const key = bookKey(name)
      .map(({ name: column, isBytes }) => (isBytes ? `hex(${row}.\`${column}\`)` : `${row}.\`${column}\``))
      .join(", ");
    return after(
      {
        name: `${name}_booked${endings[event]}`,
        table: name,
        event,
        of:
          event === "UPDATE" && without
            ? bookColumns(name).filter((column) => !without.columns.includes(column))
            : undefined,
        when: when === undefined ? MARKING : `${MARKING} AND (${when})`,
      },
      `INSERT INTO \`book_changes\` (\`table_name\`, \`key\`) VALUES ('${name}', json_array(${key}));`,
    );
  };
  return [noted("INSERT"), noted("UPDATE"), ...(kept ? [] : [noted("DELETE")])];
}
