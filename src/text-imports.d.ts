// Files that the bundler embeds as text.
declare module "*.sql" {
  const text: string;
  export default text;
}
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*.js" {
  const text: string;
  export default text;
}
declare module "radius/dictionaries/*" {
  const text: string;
  export default text;
}
// Files that the bundler embeds, as the path to read them by.
declare module "*/makers.gz" {
  const path: string;
  export default path;
}
