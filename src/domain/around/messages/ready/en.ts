import type { Ready } from "./names.ts";

export const en: Ready = {
  welcome: {
    subject: "Welcome to {{isp}}",
    body: "{{isp}}: welcome, {{name}}. Your username is {{username}}. Name the reference {{reference}} with every payment.\n{{contact}}",
  },
  payment_receipt: {
    subject: "Receipt {{number}}",
    body: "{{isp}}: {{name}}, we have received your payment of {{amount}}. Receipt: {{number}}. Balance: {{balance}}.",
  },
  expires_soon: {
    subject: "Your package ends on {{date}}",
    body: "{{isp}}: {{name}}, your package {{package}} ends on {{expiration}}. Renewal: {{price}}. Balance: {{balance}}. Payment reference: {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "Your package has expired",
    body: "{{isp}}: {{name}}, your package {{package}} ended on {{expiration}}. Renewal: {{price}}. Balance: {{balance}}. Payment reference: {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "{{percent}}% of your data is used",
    body: "{{isp}}: {{name}}, you have used {{quota_used}} of {{quota_total}} of your data ({{percent}}%).",
  },
  password_changed: {
    subject: "Your password was changed",
    body: "{{isp}}: the password of {{username}} was changed. If you did not ask for this, tell us at once.\n{{contact}}",
  },
  online_again: {
    subject: "You are online until {{date}}",
    body: "{{isp}}: {{name}}, your package {{package}} is on until {{expiration}}. Balance: {{balance}}.",
  },
  router_silent: {
    subject: "{{router}} does not answer",
    body: "{{isp}}: nothing comes from the router {{router}} any more. Look at it in the console.",
  },
  router_back: {
    subject: "{{router}} is back",
    body: "{{isp}}: the router {{router}} answers again.",
  },
  payment_unmatched: {
    subject: "A payment needs someone",
    body: "{{isp}}: {{amount}} came by {{provider}} and could not be booked. Reference: {{reference}}.",
  },
};
