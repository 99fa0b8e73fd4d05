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
  online_again: {
    subject: "Tiene internet hasta el {{date}}",
    body: "{{isp}}: {{name}}, su plan {{package}} queda activo hasta el {{expiration}}. Saldo: {{balance}}.",
  },
  router_silent: {
    subject: "El router {{router}} no responde",
    body: "{{isp}}: ya no llega nada del router {{router}}. Vea la consola.",
  },
  router_back: {
    subject: "El router {{router}} ha vuelto",
    body: "{{isp}}: el router {{router}} vuelve a responder.",
  },
  payment_unmatched: {
    subject: "Un pago necesita atención",
    body: "{{isp}}: llegaron {{amount}} por {{provider}} y no se pudieron anotar. Referencia: {{reference}}.",
  },
};
