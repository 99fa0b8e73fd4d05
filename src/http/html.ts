/** Only `html` makes it, so that data cannot pass for it. */
export class Html {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  static template(literals: TemplateStringsArray, ...values: (string | number | Html)[]): Html {
    const escaped = values.map((value) => (value instanceof Html ? value.text : escapeHtml(String(value))));
    return new Html(literals.map((literal, index) => literal + (escaped[index] ?? "")).join(""));
  }
}

export const html = Html.template;

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
