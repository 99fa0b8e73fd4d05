import type { Ready } from "./names.ts";

export const sw: Ready = {
  welcome: {
    subject: "Karibu {{isp}}",
    body: "{{isp}}: karibu, {{name}}. Jina lako la mtumiaji: {{username}}. Taja kumbukumbu {{reference}} kwa kila malipo.\n{{contact}}",
  },
  payment_receipt: {
    subject: "Risiti {{number}}",
    body: "{{isp}}: {{name}}, tumepokea malipo yako ya {{amount}}. Risiti: {{number}}. Salio: {{balance}}.",
  },
  expires_soon: {
    subject: "Kifurushi chako kinaisha {{date}}",
    body: "{{isp}}: {{name}}, kifurushi chako {{package}} kinaisha {{expiration}}. Bei: {{price}}. Salio: {{balance}}. Kumbukumbu ya malipo: {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "Kifurushi chako kimeisha muda",
    body: "{{isp}}: {{name}}, kifurushi chako {{package}} kiliisha {{expiration}}. Bei: {{price}}. Salio: {{balance}}. Kumbukumbu ya malipo: {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "Umetumia {{percent}}% ya data yako",
    body: "{{isp}}: {{name}}, umetumia {{quota_used}} kati ya {{quota_total}} za data yako ({{percent}}%).",
  },
  password_changed: {
    subject: "Nenosiri lako limebadilishwa",
    body: "{{isp}}: nenosiri la {{username}} limebadilishwa. Kama si wewe uliyelibadilisha, tuambie mara moja.\n{{contact}}",
  },
  online_again: {
    subject: "Una intaneti hadi {{date}}",
    body: "{{isp}}: {{name}}, kifurushi chako {{package}} kinafanya kazi hadi {{expiration}}. Salio: {{balance}}.",
  },
  router_silent: {
    subject: "Ruta {{router}} haijibu",
    body: "{{isp}}: hakuna tena kinachofika kutoka ruta {{router}}. Iangalie kwenye konsoli.",
  },
  router_back: {
    subject: "Ruta {{router}} imerudi",
    body: "{{isp}}: ruta {{router}} inajibu tena.",
  },
  payment_unmatched: {
    subject: "Kuna malipo ya kuangaliwa",
    body: "{{isp}}: {{amount}} zimefika kupitia {{provider}} na hazikuweza kuingizwa. Kumbukumbu: {{reference}}.",
  },
};
