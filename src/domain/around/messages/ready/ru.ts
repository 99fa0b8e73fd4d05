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
  online_again: {
    subject: "Интернет включён до {{date}}",
    body: "{{isp}}: {{name}}, тариф {{package}} действует до {{expiration}}. Баланс: {{balance}}.",
  },
  router_silent: {
    subject: "Роутер {{router}} не отвечает",
    body: "{{isp}}: от роутера {{router}} больше ничего не приходит. Проверьте в консоли.",
  },
  router_back: {
    subject: "Роутер {{router}} снова на связи",
    body: "{{isp}}: роутер {{router}} снова отвечает.",
  },
  payment_unmatched: {
    subject: "Платёж ждёт проверки",
    body: "{{isp}}: через {{provider}} поступило {{amount}}, зачислить не удалось. Код платежа: {{reference}}.",
  },
};
