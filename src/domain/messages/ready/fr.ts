import type { Ready } from "./names.ts";

export const fr: Ready = {
  welcome: {
    subject: "Bienvenue chez {{isp}}",
    body: "Bienvenue chez {{isp}}, {{name}}. Votre identifiant est {{username}}. Indiquez {{reference}} sur vos paiements.\n{{contact}}",
  },
  payment_receipt: {
    subject: "Reçu {{number}}",
    body: "{{isp}} : nous avons reçu {{amount}} de votre part, {{name}}. Reçu {{number}}. Votre solde est de {{balance}}.",
  },
  expires_soon: {
    subject: "Votre internet se termine le {{date}}",
    body: "{{isp}} : {{name}}, votre forfait {{package}} se termine le {{expiration}}. Il coûte {{price}} et votre solde est de {{balance}}. Référence : {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "Votre internet est terminé",
    body: "{{isp}} : {{name}}, votre forfait {{package}} s’est terminé le {{expiration}}. Il coûte {{price}} et votre solde est de {{balance}}. Référence : {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "{{percent}} % de vos données sont utilisées",
    body: "{{isp}} : {{name}}, vous avez utilisé {{quota_used}} sur {{quota_total}} ({{percent}} %).",
  },
  password_changed: {
    subject: "Votre mot de passe a été changé",
    body: "{{isp}} : le mot de passe de {{username}} a été changé. Si ce n’était pas vous, prévenez-nous tout de suite.\n{{contact}}",
  },
};
