/** CLDR plural rules. */
export function plural<Form extends Intl.LDMLPluralRule>(tag: string) {
  const rules = new Intl.PluralRules(tag);
  return (count: number, forms: Readonly<Record<Form | "other", string>>): string => {
    const known: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = forms;
    return known[rules.select(count)] ?? forms.other;
  };
}
