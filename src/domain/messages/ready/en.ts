import type { Ready } from "./names.ts";

export const en: Ready = {
  welcome: {
    subject: "Welcome to {{isp}}",
    body: "Welcome to {{isp}}, {{name}}. Your login is {{username}}. Write {{reference}} on your payments.\n{{contact}}",
  },
  payment_receipt: {
    subject: "Receipt {{number}}",
    body: "{{isp}}: we received {{amount}} from you, {{name}}. Receipt {{number}}. Your balance is {{balance}}.",
  },
  expires_soon: {
    subject: "Your internet ends on {{date}}",
    body: "{{isp}}: {{name}}, your package {{package}} ends on {{expiration}}. It costs {{price}}, and your balance is {{balance}}. Reference: {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "Your internet has ended",
    body: "{{isp}}: {{name}}, your package {{package}} ended on {{expiration}}. It costs {{price}}, and your balance is {{balance}}. Reference: {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "{{percent}} % of your data is used",
    body: "{{isp}}: {{name}}, you have used {{quota_used}} of {{quota_total}} ({{percent}} %).",
  },
  password_changed: {
    subject: "Your password was changed",
    body: "{{isp}}: the password of {{username}} was changed. If that was not you, tell us at once.\n{{contact}}",
  },
};
