import type { Child } from "hono/jsx";
import type { Brand } from "./brand.tsx";

interface DocumentProps {
  lang?: string;
  dir?: "ltr" | "rtl";
  /** Left out: a page of Gatehouse, not of an ISP. */
  brand?: Brand;
  title: string;
  kind: string;
  styles: readonly string[];
  scripts?: readonly string[];
  /** Loaded before parsing ends. */
  libraries?: readonly string[];
  /** For scripts. */
  root?: Readonly<Record<`data-${string}`, string>>;
  head?: Child;
  children: Child;
}

/** A page with nothing inline and nothing external. */
export function Document(props: DocumentProps) {
  const { lang = "en", dir = "ltr", brand, title, kind, styles, scripts = [], libraries = [], root } = props;
  return (
    <html lang={lang} dir={dir} {...root}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {brand && <meta name="theme-color" content={brand.color} />}
        {props.head}
        <title>{brand?.name ? `${title} · ${brand.name}` : title}</title>
        {brand && <link rel="icon" href={brand.icon} type="image/svg+xml" />}
        {[...styles, ...(brand ? [brand.colors] : [])].map((path) => (
          <link rel="stylesheet" href={path} />
        ))}
        {libraries.map((path) => (
          <script src={path} />
        ))}
        {scripts.map((path) => (
          <script src={path} type="module" />
        ))}
      </head>
      <body class={kind}>{props.children}</body>
    </html>
  );
}

/** Proves that a form is from a page of this session. */
export function FormToken({ value }: { value: string }) {
  return <input type="hidden" name="form_token" value={value} />;
}
