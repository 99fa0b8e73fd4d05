import type { Ready } from "./names.ts";

export const sw: Ready = {
  welcome: {
    subject: "Karibu {{isp}}",
    body: "Karibu {{isp}}, {{name}}. Jina lako la kuingia ni {{username}}. Andika {{reference}} unapolipa.\n{{contact}}",
  },
  payment_receipt: {
    subject: "Risiti {{number}}",
    body: "{{isp}}: tumepokea {{amount}} kutoka kwako, {{name}}. Risiti {{number}}. Salio lako ni {{balance}}.",
  },
  expires_soon: {
    subject: "Intaneti yako inaisha {{date}}",
    body: "{{isp}}: {{name}}, kifurushi chako {{package}} kinaisha {{expiration}}. Bei ni {{price}}, na salio lako ni {{balance}}. Kumbukumbu: {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "Intaneti yako imeisha",
    body: "{{isp}}: {{name}}, kifurushi chako {{package}} kiliisha {{expiration}}. Bei ni {{price}}, na salio lako ni {{balance}}. Kumbukumbu: {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "Umetumia {{percent}} % ya data yako",
    body: "{{isp}}: {{name}}, umetumia {{quota_used}} kati ya {{quota_total}} ({{percent}} %).",
  },
  password_changed: {
    subject: "Nenosiri lako limebadilishwa",
    body: "{{isp}}: nenosiri la {{username}} limebadilishwa. Kama si wewe, tuambie mara moja.\n{{contact}}",
  },
};
