import type { Ready } from "./names.ts";

export const ru: Ready = {
  welcome: {
    subject: "Добро пожаловать в {{isp}}",
    body: "{{isp}}: {{name}}, добро пожаловать! Логин: {{username}}. Код для оплаты: {{reference}}.\n{{contact}}",
  },
  payment_receipt: {
    subject: "Квитанция {{number}}",
    body: "{{isp}}: {{name}}, ваш платёж {{amount}} получен. Квитанция: {{number}}. Баланс: {{balance}}.",
  },
  expires_soon: {
    subject: "Ваш тариф закончится {{date}}",
    body: "{{isp}}: {{name}}, тариф {{package}} закончится {{expiration}}. Цена: {{price}}. Баланс: {{balance}}. Код платежа: {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "Срок действия тарифа истёк",
    body: "{{isp}}: {{name}}, тариф {{package}} закончился {{expiration}}. Цена: {{price}}. Баланс: {{balance}}. Код платежа: {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "Использовано {{percent}} % трафика",
    body: "{{isp}}: {{name}}, использовано {{quota_used}} из {{quota_total}} трафика ({{percent}} %).",
  },
  password_changed: {
    subject: "Ваш пароль изменён",
    body: "{{isp}}: пароль {{username}} изменён. Если это сделали не вы, сразу сообщите нам.\n{{contact}}",
  },
};
