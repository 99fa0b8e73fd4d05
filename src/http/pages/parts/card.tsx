import type { Child } from "hono/jsx";

interface CardProps {
  title: Child;
  lead?: Child;
  aside?: Child;
  id?: string;
  live?: Readonly<Record<string, string>>;
  kind?: string;
  children: Child;
}

export function Card({ title, lead, aside, id, live = {}, kind = "", children }: CardProps) {
  return (
    <section class={`card ${kind}`} {...(id !== undefined && { id })} {...live}>
      <header class="card-head">
        <h2>{title}</h2>
        {lead !== undefined && <span class="hint">{lead}</span>}
        {aside !== undefined && <div class="card-aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}
