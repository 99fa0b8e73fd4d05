import type { Ready } from "./names.ts";

export const pt: Ready = {
  welcome: {
    subject: "Boas-vindas à {{isp}}",
    body: "Boas-vindas à {{isp}}, {{name}}. Seu usuário é {{username}}. Escreva {{reference}} nos seus pagamentos.\n{{contact}}",
  },
  payment_receipt: {
    subject: "Recibo {{number}}",
    body: "{{isp}}: recebemos {{amount}} de {{name}}. Recibo {{number}}. Seu saldo é {{balance}}.",
  },
  expires_soon: {
    subject: "Sua internet termina em {{date}}",
    body: "{{isp}}: {{name}}, seu plano {{package}} termina em {{expiration}}. Custa {{price}} e seu saldo é {{balance}}. Referência: {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "Sua internet terminou",
    body: "{{isp}}: {{name}}, seu plano {{package}} terminou em {{expiration}}. Custa {{price}} e seu saldo é {{balance}}. Referência: {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "{{percent}} % dos seus dados foram usados",
    body: "{{isp}}: {{name}}, você usou {{quota_used}} de {{quota_total}} ({{percent}} %).",
  },
  password_changed: {
    subject: "Sua senha foi alterada",
    body: "{{isp}}: a senha de {{username}} foi alterada. Se não foi você, avise-nos imediatamente.\n{{contact}}",
  },
};
