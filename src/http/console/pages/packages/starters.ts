/** What an ISP mostly begins with, by the fields of the editor. */
export const starters = [
  {
    key: "home",
    price: "12.00",
    lasts: { count: 30, unit: "day" },
    fields: {
      name: "Home",
      price: "12.00",
      billing_type: "prepaid",
      rate_down: "10",
      rate_up: "4",
    },
  },
  {
    key: "family",
    price: "22.00",
    lasts: { count: 30, unit: "day" },
    fields: {
      name: "Family",
      price: "22.00",
      billing_type: "prepaid",
      rate_down: "30",
      rate_up: "10",
      quota: "200",
      quota_then: "slower",
      slower_down: "2",
      slower_up: "1",
    },
  },
  {
    key: "hour",
    price: "1.00",
    lasts: { count: 1, unit: "hour" },
    fields: {
      name: "Hour card",
      price: "1.00",
      billing_type: "prepaid",
      rate_down: "5",
      rate_up: "5",
      simultaneous_use: "1",
    },
  },
] as const;
