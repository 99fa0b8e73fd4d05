import type { Ready } from "./names.ts";

export const es: Ready = {
  welcome: {
    subject: "{{isp}} le da la bienvenida",
    body: "{{isp}} le da la bienvenida, {{name}}. Su usuario: {{username}}. Indique la referencia {{reference}} en cada pago.\n{{contact}}",
  },
  payment_receipt: {
    subject: "Recibo {{number}}",
    body: "{{isp}}: {{name}}, hemos recibido su pago de {{amount}}. Recibo: {{number}}. Saldo: {{balance}}.",
  },
  expires_soon: {
    subject: "Su plan termina el {{date}}",
    body: "{{isp}}: {{name}}, su plan {{package}} termina el {{expiration}}. Precio: {{price}}. Saldo: {{balance}}. Referencia de pago: {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "Su plan ha vencido",
    body: "{{isp}}: {{name}}, su plan {{package}} ha vencido ({{expiration}}). Precio: {{price}}. Saldo: {{balance}}. Referencia de pago: {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "Ha usado el {{percent}} % de sus datos",
    body: "{{isp}}: {{name}}, ha usado {{quota_used}} de {{quota_total}} de sus datos ({{percent}} %).",
  },
  password_changed: {
    subject: "Su contraseña ha cambiado",
    body: "{{isp}}: la contraseña de {{username}} ha cambiado. Si no fue usted, escriba o llame enseguida.\n{{contact}}",
  },
};
