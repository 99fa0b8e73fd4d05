import type { Ready } from "./names.ts";

export const pt: Ready = {
  welcome: {
    subject: "{{isp}}: boas-vindas",
    body: "{{isp}}: boas-vindas, {{name}}. O seu utilizador: {{username}}. Em cada pagamento, indique {{reference}}.\n{{contact}}",
  },
  payment_receipt: {
    subject: "Recibo {{number}}",
    body: "{{isp}}: {{name}}, recebemos o seu pagamento de {{amount}}. Recibo: {{number}}. Saldo: {{balance}}.",
  },
  expires_soon: {
    subject: "O seu plano termina em {{date}}",
    body: "{{isp}}: {{name}}, o seu plano {{package}} termina em {{expiration}}. Valor: {{price}}. Saldo: {{balance}}. Ao pagar, indique {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "O seu plano expirou",
    body: "{{isp}}: {{name}}, o seu plano {{package}} terminou em {{expiration}}. Valor: {{price}}. Saldo: {{balance}}. Ao pagar, indique {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "{{percent}}% dos seus dados foram usados",
    body: "{{isp}}: {{name}}, {{quota_used}} de {{quota_total}} dos seus dados foram usados ({{percent}}%).",
  },
  password_changed: {
    subject: "A sua senha foi mudada",
    body: "{{isp}}: a senha de {{username}} foi mudada. Se foi outra pessoa, fale logo connosco.\n{{contact}}",
  },
  online_again: {
    subject: "Está online até {{date}}",
    body: "{{isp}}: {{name}}, o seu plano {{package}} continua ativo e termina em {{expiration}}. Saldo: {{balance}}.",
  },
  router_silent: {
    subject: "O router {{router}} não responde",
    body: "{{isp}}: nada mais chega do router {{router}}. Veja na consola.",
  },
  router_back: {
    subject: "O router {{router}} voltou",
    body: "{{isp}}: o router {{router}} voltou a responder.",
  },
  payment_unmatched: {
    subject: "Um pagamento precisa de atenção",
    body: "{{isp}}: chegaram {{amount}} por {{provider}} e falta saber de quem. Foi indicado: {{reference}}.",
  },
};
