ALTER TABLE `card_batches` ADD `reply_attributes` text;--> statement-breakpoint
ALTER TABLE `nas` ADD `kind` text DEFAULT 'mikrotik' NOT NULL;--> statement-breakpoint
ALTER TABLE `packages` ADD `reply_attributes` text;--> statement-breakpoint
ALTER TABLE `services` ADD `reply_attributes` text;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `reply_attributes` text;--> statement-breakpoint
DROP TRIGGER `services_login_updated`;
--> statement-breakpoint
CREATE TRIGGER `services_login_updated` AFTER UPDATE OF `subscriber_id`, `package_id`, `password_sealed`, `nt_hash_sealed`, `expires_at`, `activated_at`, `quota_total`, `rate_limit`, `quota_exceeded`, `framed_pool`, `framed_ipv6_pool`, `delegated_ipv6_pool`, `address_list`, `expired_pool`, `expired_address_list`, `simultaneous_use`, `idle_timeout`, `frozen_at`, `reply_attributes` ON `services` BEGIN UPDATE `login_stamps` SET `stamp` = random() & 281474976710655 WHERE `username_key` = (SELECT `username_key` FROM `subscribers` WHERE `id` = NEW.`subscriber_id`); END;
--> statement-breakpoint
DROP TRIGGER `subscribers_marked_updated`;
--> statement-breakpoint
CREATE TRIGGER `subscribers_marked_updated` AFTER UPDATE OF `isp_id`, `branch_id`, `username_key`, `password_sealed`, `connection_type_id`, `static_ip`, `framed_ipv6_prefix`, `delegated_ipv6_prefix`, `mac_address`, `mac_lock`, `mac_login`, `status`, `archived_at`, `any_connection`, `reply_attributes` ON `subscribers` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;
--> statement-breakpoint
DROP TRIGGER `services_marked_updated`;
--> statement-breakpoint
CREATE TRIGGER `services_marked_updated` AFTER UPDATE OF `subscriber_id`, `package_id`, `password_sealed`, `nt_hash_sealed`, `expires_at`, `activated_at`, `quota_total`, `quota_crossed_at`, `rate_limit`, `quota_exceeded`, `framed_pool`, `framed_ipv6_pool`, `delegated_ipv6_pool`, `address_list`, `expired_pool`, `expired_address_list`, `simultaneous_use`, `idle_timeout`, `frozen_at`, `reply_attributes` ON `services` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || NEW.`subscriber_id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;
