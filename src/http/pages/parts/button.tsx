import type { Child } from "hono/jsx";
import { FormToken } from "../document.tsx";
import { Icon, type IconName } from "../icons.tsx";
import { Key } from "./chip.tsx";

export type ButtonKind = "solid" | "outline" | "danger" | "quiet";

interface ButtonProps {
  /** Makes it a link; else it submits its form. */
  href?: string;
  kind?: ButtonKind;
  size?: "small" | "large";
  icon?: IconName;
  /** A shortcut key. */
  dataKey?: string;
  showKey?: string;
  /** Opens beside the page with a script. */
  drawer?: boolean;
  disabled?: boolean;
  /** For screen readers. */
  label?: string;
  name?: string;
  value?: string;
  type?: "submit" | "button";
  /** While waiting: "Asking Tower-1". */
  asking?: string;
  /** A form elsewhere. */
  form?: string;
  children?: Child;
}

/** One solid button a page: the next step. */
export function Button(props: ButtonProps) {
  const { href, kind = "outline", size, icon, dataKey, showKey, drawer, disabled, label, children } = props;
  const common = {
    class: ["button", kind, size, children === undefined && "icon-button"].filter(Boolean).join(" "),
    ...(dataKey !== undefined && { "data-key": dataKey }),
    ...(label !== undefined && { "aria-label": label, title: label }),
  };
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
      {showKey !== undefined && <Key>{showKey}</Key>}
    </>
  );
  if (href === undefined || disabled) {
    const { name, value, type = href === undefined ? "submit" : "button", form, asking } = props;
    return (
      <button
        {...common}
        type={type}
        name={name}
        value={value}
        form={form}
        {...(asking !== undefined && { "data-asking": asking })}
        disabled={disabled === true}
      >
        {content}
      </button>
    );
  }
  const opens = drawer === true ? { "hx-get": href, "hx-target": "#drawer", "hx-swap": "innerHTML" } : {};
  return (
    <a {...common} href={href} {...opens}>
      {content}
    </a>
  );
}

interface ActionProps extends Omit<ButtonProps, "href" | "drawer" | "form" | "type"> {
  action: string;
  formToken: string;
  /** Hidden fields. */
  fields?: Readonly<Record<string, string | number>>;
}

/** A one-button form; its result is a toast with a script, else on the next page. */
export function Action({ action, formToken, fields = {}, ...button }: ActionProps) {
  return (
    <form
      class="action"
      method="post"
      action={action}
      hx-post={action}
      hx-target="#toasts"
      hx-swap="beforeend"
    >
      <FormToken value={formToken} />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={String(value)} />
      ))}
      <Button {...button} />
    </form>
  );
}
