import type { Ready } from "./names.ts";

export const pt: Ready = {
  welcome: {
    subject: "{{isp}}: boas-vindas",
    body: "{{isp}}: boas-vindas, {{name}}. Seu login: {{username}}. Em cada pagamento, informe {{reference}}.\n{{contact}}",
  },
  payment_receipt: {
    subject: "Recibo {{number}}",
    body: "{{isp}}: {{name}}, recebemos seu pagamento de {{amount}}. Recibo: {{number}}. Saldo: {{balance}}.",
  },
  expires_soon: {
    subject: "Seu plano termina em {{date}}",
    body: "{{isp}}: {{name}}, seu plano {{package}} termina em {{expiration}}. Valor: {{price}}. Saldo: {{balance}}. Ao pagar, informe {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "Seu plano venceu",
    body: "{{isp}}: {{name}}, seu plano {{package}} terminou em {{expiration}}. Valor: {{price}}. Saldo: {{balance}}. Ao pagar, informe {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "{{percent}}% dos seus dados foram usados",
    body: "{{isp}}: {{name}}, {{quota_used}} de {{quota_total}} dos seus dados foram usados ({{percent}}%).",
  },
  password_changed: {
    subject: "Sua senha foi mudada",
    body: "{{isp}}: a senha de {{username}} foi mudada. Se foi outra pessoa, fale logo com a gente.\n{{contact}}",
  },
  online_again: {
    subject: "Você está online até {{date}}",
    body: "{{isp}}: {{name}}, seu plano {{package}} segue ativo e termina em {{expiration}}. Saldo: {{balance}}.",
  },
  router_silent: {
    subject: "O roteador {{router}} não responde",
    body: "{{isp}}: nada mais chega do roteador {{router}}. Veja no console.",
  },
  router_back: {
    subject: "O roteador {{router}} voltou",
    body: "{{isp}}: o roteador {{router}} voltou a responder.",
  },
  payment_unmatched: {
    subject: "Um pagamento precisa de atenção",
    body: "{{isp}}: chegaram {{amount}} por {{provider}} sem lugar nas contas. Foi informado: {{reference}}.",
  },
};
