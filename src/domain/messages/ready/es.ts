import type { Ready } from "./names.ts";

export const es: Ready = {
  welcome: {
    subject: "Bienvenido a {{isp}}",
    body: "Bienvenido a {{isp}}, {{name}}. Su usuario es {{username}}. Indique {{reference}} en sus pagos.\n{{contact}}",
  },
  payment_receipt: {
    subject: "Recibo {{number}}",
    body: "{{isp}}: hemos recibido {{amount}} de {{name}}. Recibo {{number}}. Su saldo es {{balance}}.",
  },
  expires_soon: {
    subject: "Su internet termina el {{date}}",
    body: "{{isp}}: {{name}}, su plan {{package}} termina el {{expiration}}. Cuesta {{price}} y su saldo es {{balance}}. Referencia: {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "Su internet ha terminado",
    body: "{{isp}}: {{name}}, su plan {{package}} terminó el {{expiration}}. Cuesta {{price}} y su saldo es {{balance}}. Referencia: {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "Ha usado el {{percent}} % de sus datos",
    body: "{{isp}}: {{name}}, ha usado {{quota_used}} de {{quota_total}} ({{percent}} %).",
  },
  password_changed: {
    subject: "Se cambió su contraseña",
    body: "{{isp}}: se cambió la contraseña de {{username}}. Si no fue usted, avísenos enseguida.\n{{contact}}",
  },
};
