ALTER TABLE `packages` ADD `tiers` text;--> statement-breakpoint
ALTER TABLE `packages` ADD `fair_window` text DEFAULT 'period' NOT NULL;--> statement-breakpoint
ALTER TABLE `packages` ADD `hours` text;--> statement-breakpoint
ALTER TABLE `packages` ADD `top_up_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `packages` ADD `top_up_days` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `packages` ADD `top_up_rolls` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `services` ADD `tiers` text;--> statement-breakpoint
ALTER TABLE `services` ADD `fair_window` text DEFAULT 'period' NOT NULL;--> statement-breakpoint
ALTER TABLE `services` ADD `hours` text;--> statement-breakpoint
ALTER TABLE `services` ADD `window_start` integer;--> statement-breakpoint
ALTER TABLE `services` ADD `extra_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `services` ADD `rolling_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `services` ADD `free_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `services_fair` ON `services` (`subscriber_id`) WHERE tiers IS NOT NULL OR hours IS NOT NULL OR fair_window <> 'period' OR extra_bytes > 0;--> statement-breakpoint
ALTER TABLE `sessions` ADD `rate_refused` text;--> statement-breakpoint
DROP TRIGGER `services_login_updated`;--> statement-breakpoint
CREATE TRIGGER `services_login_updated` AFTER UPDATE OF `subscriber_id`, `package_id`, `password_sealed`, `nt_hash_sealed`, `expires_at`, `activated_at`, `quota_total`, `rate_limit`, `quota_exceeded`, `framed_pool`, `framed_ipv6_pool`, `delegated_ipv6_pool`, `address_list`, `expired_pool`, `expired_address_list`, `simultaneous_use`, `idle_timeout`, `frozen_at`, `reply_attributes`, `tiers`, `fair_window`, `hours`, `window_start`, `extra_bytes`, `rolling_bytes` ON `services` BEGIN UPDATE `login_stamps` SET `stamp` = random() & 281474976710655 WHERE `username_key` = (SELECT `username_key` FROM `subscribers` WHERE `id` = NEW.`subscriber_id`); END;--> statement-breakpoint
DROP TRIGGER `services_login_used`;--> statement-breakpoint
CREATE TRIGGER `services_login_used` AFTER UPDATE OF `quota_used` ON `services` WHEN NEW.`quota_total` > 0 OR NEW.`tiers` IS NOT NULL BEGIN UPDATE `login_stamps` SET `stamp` = random() & 281474976710655 WHERE `username_key` = (SELECT `username_key` FROM `subscribers` WHERE `id` = NEW.`subscriber_id`); END;--> statement-breakpoint
DROP TRIGGER `services_marked_updated`;--> statement-breakpoint
CREATE TRIGGER `services_marked_updated` AFTER UPDATE OF `subscriber_id`, `package_id`, `password_sealed`, `nt_hash_sealed`, `expires_at`, `activated_at`, `quota_total`, `quota_crossed_at`, `rate_limit`, `quota_exceeded`, `framed_pool`, `framed_ipv6_pool`, `delegated_ipv6_pool`, `address_list`, `expired_pool`, `expired_address_list`, `simultaneous_use`, `idle_timeout`, `frozen_at`, `reply_attributes`, `tiers`, `fair_window`, `hours`, `extra_bytes`, `rolling_bytes` ON `services` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || NEW.`subscriber_id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
DROP TRIGGER `services_marked_used`;--> statement-breakpoint
CREATE TRIGGER `services_marked_used` AFTER UPDATE OF `quota_used`, `window_start`, `free_bytes` ON `services` WHEN (SELECT `marking` FROM `access_state`) = 1 AND (NEW.`quota_total` > 0 OR NEW.`tiers` IS NOT NULL OR NEW.`hours` IS NOT NULL) BEGIN INSERT INTO `access_marks` VALUES ('s.' || NEW.`subscriber_id`, 1, 0) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1; END;--> statement-breakpoint
DROP TRIGGER `services_booked_updated`;--> statement-breakpoint
CREATE TRIGGER `services_booked_updated` AFTER UPDATE OF `subscriber_id`, `package_id`, `password_sealed`, `nt_hash_sealed`, `expires_at`, `activated_at`, `quota_total`, `rate_limit`, `quota_exceeded`, `framed_pool`, `framed_ipv6_pool`, `delegated_ipv6_pool`, `address_list`, `expired_pool`, `expired_address_list`, `simultaneous_use`, `idle_timeout`, `anchor_day`, `anchor_time`, `frozen_at`, `paid_until`, `renews_from`, `reply_attributes`, `tiers`, `fair_window`, `hours`, `extra_bytes`, `rolling_bytes` ON `services` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('services', json_array(NEW.`subscriber_id`)); END;
