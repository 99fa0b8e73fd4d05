import { Icon } from "../icons.tsx";

interface ToastProps {
  flash: {
    readonly kind: "good" | "bad" | "wait";
    readonly title: string;
    readonly text?: string | undefined;
    readonly links?: readonly { readonly href: string; readonly label: string }[];
  };
  close: string;
}

/** An outcome. Failures stay until closed. */
export function Toast({ flash: { kind, title, text, links = [] }, close }: ToastProps) {
  return (
    <div class={`toast ${kind}`} role={kind === "bad" ? "alert" : "status"} data-toast={kind}>
      <span class="toast-mark">
        <Icon name={kind === "good" ? "check" : kind === "bad" ? "close" : "history"} />
      </span>
      <p>
        <strong>{title}</strong> {text}
        {links.length > 0 && (
          <span class="row">
            {links.map(({ href, label }) => (
              <a href={href}>{label}</a>
            ))}
          </span>
        )}
      </p>
      <button type="button" class="button quiet icon-button" data-close hidden aria-label={close}>
        <Icon name="close" />
      </button>
    </div>
  );
}
