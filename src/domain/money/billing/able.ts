/**
 * Subscribers who can pay the next period: by wallet, or on credit. By wallets first, because few hold money. All counts of who
 * needs money use it.
 */
export const ABLE = `
  SELECT id FROM subscribers WHERE package_id IN (SELECT id FROM packages WHERE billing_type = 'postpaid' OR price <= 0)
  UNION ALL SELECT w.subscriber_id FROM wallets w CROSS JOIN subscribers s ON s.id = w.subscriber_id JOIN packages p ON p.id = s.package_id
  WHERE w.balance >= (SELECT min(price) FROM packages WHERE billing_type = 'prepaid') AND w.balance >= p.price`;
