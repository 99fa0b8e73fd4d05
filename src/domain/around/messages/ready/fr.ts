import type { Ready } from "./names.ts";

export const fr: Ready = {
  welcome: {
    subject: "Bienvenue chez {{isp}}",
    body: "{{isp}} : bienvenue, {{name}}. Votre identifiant : {{username}}. Indiquez la référence {{reference}} à chaque paiement.\n{{contact}}",
  },
  payment_receipt: {
    subject: "Reçu {{number}}",
    body: "{{isp}} : {{name}}, votre paiement de {{amount}} est bien arrivé. Justificatif : {{number}}. Solde : {{balance}}.",
  },
  expires_soon: {
    subject: "Votre forfait prend fin le {{date}}",
    body: "{{isp}} : {{name}}, votre forfait {{package}} prend fin le {{expiration}}. Prix : {{price}}. Solde : {{balance}}. Référence : {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "Votre forfait a expiré",
    body: "{{isp}} : {{name}}, votre forfait {{package}} a pris fin le {{expiration}}. Prix : {{price}}. Solde : {{balance}}. Référence : {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "{{percent}} % de vos données utilisées",
    body: "{{isp}} : {{name}}, vous avez utilisé {{quota_used}} sur {{quota_total}} de données ({{percent}} %).",
  },
  password_changed: {
    subject: "Votre mot de passe a été changé",
    body: "{{isp}} : le mot de passe de {{username}} a été changé. Si ce n'est pas vous, prévenez-nous sans attendre.\n{{contact}}",
  },
  online_again: {
    subject: "Vous êtes en ligne jusqu’au {{date}}",
    body: "{{isp}} : {{name}}, votre forfait {{package}} est actif jusqu'au {{expiration}}. Solde : {{balance}}.",
  },
  router_silent: {
    subject: "Le routeur {{router}} ne répond plus",
    body: "{{isp}} : plus rien n'arrive du routeur {{router}}. Voyez dans la console.",
  },
  router_back: {
    subject: "Le routeur {{router}} est revenu",
    body: "{{isp}} : le routeur {{router}} répond de nouveau.",
  },
  payment_unmatched: {
    subject: "Un paiement attend quelqu’un",
    body: "{{isp}} : {{amount}} sont venus par {{provider}} et n'ont pu entrer en compte. Référence : {{reference}}.",
  },
};
