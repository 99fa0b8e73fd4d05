export function notSql(word: string): string {
  const text = word.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 30);
  return `"${text}" begins no statement of SQL: it takes a dump made by mysqldump, mariadb-dump or pg_dump -Fp`;
}

export function noColumns(table: string): string {
  return `the dump does not say which columns table ${table} has: make it again with its CREATE TABLE, or with --complete-insert (mysqldump) or --column-inserts (pg_dump)`;
}

export function twice(table: string, one: string, other: string): string {
  return `table ${table} stands in it twice, in ${one || "no database"} and in ${other || "no database"}: make a dump of the one that you want`;
}
