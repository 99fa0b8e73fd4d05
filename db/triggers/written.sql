-- The books are append-only.
CREATE TRIGGER `audit_entries_no_update` BEFORE UPDATE ON `audit_entries` BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;

CREATE TRIGGER `ledger_entries_no_update` BEFORE UPDATE ON `ledger_entries` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER `ledger_entries_no_delete` BEFORE DELETE ON `ledger_entries` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

-- What showed a Message-Authenticator is forgotten with the mode or the address of its router; the RADIUS threads keep the configuration until it is another generation.
CREATE TRIGGER `nas_sources_mode` AFTER UPDATE OF `require_message_authenticator` ON `nas` WHEN NEW.`require_message_authenticator` <> OLD.`require_message_authenticator` BEGIN DELETE FROM `nas_sources` WHERE `nas_id` = NEW.`id`; END;

CREATE TRIGGER `nas_sources_address` AFTER UPDATE OF `address` ON `nas` WHEN NEW.`address` <> OLD.`address` AND NEW.`address` NOT LIKE '%/%' BEGIN DELETE FROM `nas_sources` WHERE `nas_id` = NEW.`id` AND `address` <> NEW.`address`; END;

CREATE TRIGGER `nas_sources_deleted` AFTER DELETE ON `nas_sources` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'configuration'; END;

-- When an invoice was followed by the next period.
CREATE TRIGGER `invoices_followed` AFTER INSERT ON `invoices` WHEN NEW.`period_end` > NEW.`period_start` AND NEW.`voided_at` IS NULL BEGIN
	UPDATE `invoices` SET `followed_at` = NEW.`period_start` WHERE `subscriber_id` = NEW.`subscriber_id` AND `period_end` < NEW.`period_end`
		AND (`followed_at` IS NULL OR `followed_at` > NEW.`period_start`);
	UPDATE `invoices` SET `followed_at` = n.`period_start` FROM (SELECT min(`period_start`) AS `period_start` FROM `invoices`
		WHERE `subscriber_id` = NEW.`subscriber_id` AND `voided_at` IS NULL AND `period_end` > NEW.`period_end` AND `period_end` > `period_start`) n
	WHERE `invoices`.`id` = NEW.`id` AND n.`period_start` IS NOT NULL;
END;

CREATE TRIGGER `invoices_followed_otherwise` AFTER UPDATE OF `period_start`, `period_end`, `voided_at` ON `invoices` BEGIN
	UPDATE `invoices` SET `followed_at` = (SELECT min(n.`period_start`) FROM `invoices` n WHERE n.`subscriber_id` = NEW.`subscriber_id` AND n.`voided_at` IS NULL
		AND n.`period_end` > `invoices`.`period_end` AND n.`period_end` > n.`period_start`) WHERE `subscriber_id` = NEW.`subscriber_id`;
END;

-- Counts of past periods are read anew (src/domain/money/sums/past-periods.ts).
CREATE TRIGGER `invoices_moved` AFTER UPDATE OF `period_start`, `period_end`, `voided_at` ON `invoices` BEGIN
	INSERT INTO `generations` VALUES ('periods', 1) ON CONFLICT (`name`) DO UPDATE SET `value` = `value` + 1;
END;

-- Wallets, and the sums of the ledger by day and month.
CREATE TRIGGER `subscribers_wallet_opened` AFTER INSERT ON `subscribers` BEGIN INSERT OR IGNORE INTO `wallets` VALUES (NEW.`id`, 0); END;

CREATE TRIGGER `ledger_entries_summed` AFTER INSERT ON `ledger_entries` WHEN NEW.`kind` <> 'history' BEGIN
	INSERT INTO `wallets` SELECT NEW.`subscriber_id`, NEW.`balance_after` WHERE NEW.`subscriber_id` IS NOT NULL
	ON CONFLICT DO UPDATE SET `balance` = excluded.`balance`;
	INSERT INTO `ledger_days` (`day`, `isp_id`, `branch_id`, `area_id`, `package_id`, `seller_id`, `staff_id`, `account`, `kind`, `method`, `reached`, `entries`, `amount`)
	SELECT NEW.`day`, coalesce(NEW.`isp_id`, 0), coalesce(NEW.`branch_id`, 0), coalesce(NEW.`area_id`, 0), coalesce(NEW.`package_id`, 0), coalesce(NEW.`seller_id`, 0), coalesce(iif(p.`id` IS NULL, NEW.`acting_staff_id`, p.`taken_by`), 0),
		iif(NEW.`subscriber_id` IS NULL, 'staff', 'subscriber'), NEW.`kind`, coalesce(p.`method`, ''), p.`id` IS NOT NULL AND p.`reseller_id` IS NULL, 1, NEW.`amount`
	FROM (SELECT 1) LEFT JOIN `payments` p ON p.`id` = NEW.`payment_id` WHERE TRUE
	ON CONFLICT DO UPDATE SET `entries` = `entries` + 1, `amount` = `amount` + excluded.`amount`;
	INSERT INTO `ledger_months` (`month`, `isp_id`, `branch_id`, `area_id`, `package_id`, `seller_id`, `staff_id`, `account`, `kind`, `method`, `reached`, `entries`, `amount`)
	SELECT NEW.`day` / 100, coalesce(NEW.`isp_id`, 0), coalesce(NEW.`branch_id`, 0), coalesce(NEW.`area_id`, 0), coalesce(NEW.`package_id`, 0), coalesce(NEW.`seller_id`, 0), coalesce(iif(p.`id` IS NULL, NEW.`acting_staff_id`, p.`taken_by`), 0),
		iif(NEW.`subscriber_id` IS NULL, 'staff', 'subscriber'), NEW.`kind`, coalesce(p.`method`, ''), p.`id` IS NOT NULL AND p.`reseller_id` IS NULL, 1, NEW.`amount`
	FROM (SELECT 1) LEFT JOIN `payments` p ON p.`id` = NEW.`payment_id` WHERE TRUE
	ON CONFLICT DO UPDATE SET `entries` = `entries` + 1, `amount` = `amount` + excluded.`amount`;
END;

-- How many cards of a batch are in which state.
CREATE TRIGGER `cards_counted` AFTER INSERT ON `cards` WHEN NEW.`state` <> 'new' BEGIN
	INSERT INTO `card_counts` (`batch_id`, `sold`, `active`, `void`, `unending`, `unending_used_up`, `last_end`)
	VALUES (NEW.`batch_id`, (NEW.`state` = 'sold'),
		(NEW.`state` = 'active'),
		(NEW.`state` = 'void'),
		(NEW.`state` = 'active' AND NEW.`ends_at` IS NULL AND NEW.`used_up_at` IS NULL),
		(NEW.`state` = 'active' AND NEW.`ends_at` IS NULL AND NEW.`used_up_at` IS NOT NULL),
		coalesce(NEW.`ends_at`, 0))
	ON CONFLICT DO UPDATE SET `sold` = `sold` + excluded.`sold`, `active` = `active` + excluded.`active`, `void` = `void` + excluded.`void`,
		`unending` = `unending` + excluded.`unending`, `unending_used_up` = `unending_used_up` + excluded.`unending_used_up`,
		`last_end` = max(`last_end`, excluded.`last_end`);
END;

CREATE TRIGGER `cards_counted_otherwise` AFTER UPDATE OF `state`, `ends_at`, `used_up_at` ON `cards` BEGIN
	INSERT INTO `card_counts` (`batch_id`, `sold`, `active`, `void`, `unending`, `unending_used_up`, `last_end`)
	VALUES (NEW.`batch_id`, (NEW.`state` = 'sold') - (OLD.`state` = 'sold'),
		(NEW.`state` = 'active') - (OLD.`state` = 'active'),
		(NEW.`state` = 'void') - (OLD.`state` = 'void'),
		(NEW.`state` = 'active' AND NEW.`ends_at` IS NULL AND NEW.`used_up_at` IS NULL) - (OLD.`state` = 'active' AND OLD.`ends_at` IS NULL AND OLD.`used_up_at` IS NULL),
		(NEW.`state` = 'active' AND NEW.`ends_at` IS NULL AND NEW.`used_up_at` IS NOT NULL) - (OLD.`state` = 'active' AND OLD.`ends_at` IS NULL AND OLD.`used_up_at` IS NOT NULL),
		coalesce(NEW.`ends_at`, 0))
	ON CONFLICT DO UPDATE SET `sold` = `sold` + excluded.`sold`, `active` = `active` + excluded.`active`, `void` = `void` + excluded.`void`,
		`unending` = `unending` + excluded.`unending`, `unending_used_up` = `unending_used_up` + excluded.`unending_used_up`,
		`last_end` = max(`last_end`, excluded.`last_end`);
END;
