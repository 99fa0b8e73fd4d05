CREATE TABLE `login_stamps` (
	`username_key` text PRIMARY KEY NOT NULL,
	`stamp` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `login_stamps` SELECT `username_key`, random() & 281474976710655 FROM `subscribers` ORDER BY `username_key`;--> statement-breakpoint
CREATE TRIGGER `subscribers_login_inserted` AFTER INSERT ON `subscribers` BEGIN INSERT OR REPLACE INTO `login_stamps` VALUES (NEW.`username_key`, random() & 281474976710655); END;--> statement-breakpoint
CREATE TRIGGER `subscribers_login_updated` AFTER UPDATE ON `subscribers` WHEN NEW.`username_key` IS OLD.`username_key` BEGIN UPDATE `login_stamps` SET `stamp` = random() & 281474976710655 WHERE `username_key` = NEW.`username_key`; END;--> statement-breakpoint
CREATE TRIGGER `subscribers_login_renamed` AFTER UPDATE OF `username_key` ON `subscribers` WHEN NEW.`username_key` IS NOT OLD.`username_key` BEGIN DELETE FROM `login_stamps` WHERE `username_key` = OLD.`username_key`; INSERT OR REPLACE INTO `login_stamps` VALUES (NEW.`username_key`, random() & 281474976710655); END;--> statement-breakpoint
CREATE TRIGGER `subscribers_login_deleted` AFTER DELETE ON `subscribers` BEGIN DELETE FROM `login_stamps` WHERE `username_key` = OLD.`username_key`; END;--> statement-breakpoint
CREATE TRIGGER `services_login_inserted` AFTER INSERT ON `services` BEGIN UPDATE `login_stamps` SET `stamp` = random() & 281474976710655 WHERE `username_key` = (SELECT `username_key` FROM `subscribers` WHERE `id` = NEW.`subscriber_id`); END;--> statement-breakpoint
CREATE TRIGGER `services_login_updated` AFTER UPDATE OF `subscriber_id`, `package_id`, `password_sealed`, `nt_hash_sealed`, `expires_at`, `activated_at`, `quota_total`, `rate_limit`, `quota_exceeded`, `framed_pool`, `framed_ipv6_pool`, `delegated_ipv6_pool`, `address_list`, `expired_pool`, `expired_address_list`, `simultaneous_use`, `idle_timeout` ON `services` BEGIN UPDATE `login_stamps` SET `stamp` = random() & 281474976710655 WHERE `username_key` = (SELECT `username_key` FROM `subscribers` WHERE `id` = NEW.`subscriber_id`); END;--> statement-breakpoint
CREATE TRIGGER `services_login_used` AFTER UPDATE OF `quota_used` ON `services` WHEN NEW.`quota_total` > 0 BEGIN UPDATE `login_stamps` SET `stamp` = random() & 281474976710655 WHERE `username_key` = (SELECT `username_key` FROM `subscribers` WHERE `id` = NEW.`subscriber_id`); END;--> statement-breakpoint
CREATE TRIGGER `services_login_deleted` AFTER DELETE ON `services` BEGIN UPDATE `login_stamps` SET `stamp` = random() & 281474976710655 WHERE `username_key` = (SELECT `username_key` FROM `subscribers` WHERE `id` = OLD.`subscriber_id`); END;
