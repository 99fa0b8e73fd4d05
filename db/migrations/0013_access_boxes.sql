CREATE TABLE `access_boxes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`nkey` text NOT NULL,
	`seal_key` text NOT NULL,
	`scope` text,
	`journal` integer DEFAULT 0 NOT NULL,
	`heard_at` integer,
	`cut_off_at` integer,
	`state` text,
	`created_at` integer NOT NULL,
	`created_by` integer,
	`removed_at` integer,
	FOREIGN KEY (`created_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `access_boxes_name` ON `access_boxes` (`name`) WHERE removed_at IS NULL;--> statement-breakpoint
CREATE TABLE `access_keys` (
	`key` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`number` integer DEFAULT 0 NOT NULL,
	`is_gone` integer DEFAULT 0 NOT NULL,
	`included` integer DEFAULT 0 NOT NULL,
	`row_id` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `access_marks` (
	`key` text PRIMARY KEY NOT NULL,
	`mark` integer NOT NULL,
	`is_soon` integer DEFAULT 1 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `access_marks_soon` ON `access_marks` (`is_soon`) WHERE is_soon = 1;--> statement-breakpoint
CREATE TABLE `access_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`role` text DEFAULT 'books' NOT NULL,
	`marking` integer DEFAULT 0 NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`number` integer DEFAULT 0 NOT NULL,
	`key_sealed` blob,
	`key_number` integer DEFAULT 0 NOT NULL,
	`seed_sealed` blob,
	`pair_sealed` blob,
	`over_since` integer,
	`pending` text,
	`beat_at` integer,
	`beat_boot` text,
	`beat_uptime` integer,
	`bucket` text,
	`highest` integer DEFAULT 0 NOT NULL,
	`box_id` integer,
	`home` integer DEFAULT 0 NOT NULL,
	`link` text,
	`booked` integer DEFAULT 0 NOT NULL,
	`lineage` text DEFAULT '[]' NOT NULL,
	`restored_at` integer,
	CONSTRAINT "access_state_one" CHECK("access_state"."id" = 1),
	CONSTRAINT "access_state_flags" CHECK("access_state"."marking" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE TABLE `journal` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`boot` text NOT NULL,
	`uptime` integer NOT NULL,
	`subscriber_id` integer,
	`card_id` integer,
	`octets` integer DEFAULT 0 NOT NULL,
	`seconds` integer DEFAULT 0 NOT NULL,
	`body` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `journal_subscriber` ON `journal` (`subscriber_id`,`number`) WHERE subscriber_id IS NOT NULL AND octets > 0;--> statement-breakpoint
CREATE INDEX `journal_card` ON `journal` (`card_id`,`number`) WHERE card_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `via_box` integer;--> statement-breakpoint
INSERT INTO `access_state` (`id`) VALUES (1);--> statement-breakpoint
CREATE TRIGGER `subscribers_marked` AFTER INSERT ON `subscribers` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `subscribers_marked_updated` AFTER UPDATE OF `isp_id`, `branch_id`, `username_key`, `password_sealed`, `connection_type_id`, `static_ip`, `framed_ipv6_prefix`, `delegated_ipv6_prefix`, `mac_address`, `mac_lock`, `mac_login`, `status`, `archived_at`, `any_connection` ON `subscribers` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `subscribers_marked_deleted` AFTER DELETE ON `subscribers` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || OLD.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `services_marked` AFTER INSERT ON `services` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || NEW.`subscriber_id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `services_marked_updated` AFTER UPDATE OF `subscriber_id`, `package_id`, `password_sealed`, `nt_hash_sealed`, `expires_at`, `activated_at`, `quota_total`, `quota_crossed_at`, `rate_limit`, `quota_exceeded`, `framed_pool`, `framed_ipv6_pool`, `delegated_ipv6_pool`, `address_list`, `expired_pool`, `expired_address_list`, `simultaneous_use`, `idle_timeout`, `frozen_at` ON `services` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || NEW.`subscriber_id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `services_marked_deleted` AFTER DELETE ON `services` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || OLD.`subscriber_id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `services_marked_used` AFTER UPDATE OF `quota_used` ON `services` WHEN (SELECT `marking` FROM `access_state`) = 1 AND (NEW.`quota_total` > 0) BEGIN INSERT INTO `access_marks` VALUES ('s.' || NEW.`subscriber_id`, 1, 0) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1; END;--> statement-breakpoint
CREATE TRIGGER `cards_marked` AFTER INSERT ON `cards` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('c.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `cards_marked_updated` AFTER UPDATE OF `batch_id`, `code_key`, `state`, `first_used_at`, `ends_at`, `used_up_at`, `locked_mac` ON `cards` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('c.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `cards_marked_deleted` AFTER DELETE ON `cards` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('c.' || OLD.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `cards_marked_used` AFTER UPDATE OF `used_seconds`, `used_octets` ON `cards` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('c.' || NEW.`id`, 1, 0) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1; END;--> statement-breakpoint
CREATE TRIGGER `card_batches_marked` AFTER INSERT ON `card_batches` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('b.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `card_batches_marked_updated` AFTER UPDATE ON `card_batches` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('b.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `card_batches_marked_deleted` AFTER DELETE ON `card_batches` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('b.' || OLD.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `nas_marked` AFTER INSERT ON `nas` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('n.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `nas_marked_updated` AFTER UPDATE ON `nas` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('n.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `nas_marked_deleted` AFTER DELETE ON `nas` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('n.' || OLD.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `nas_sources_marked` AFTER INSERT ON `nas_sources` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('n.' || NEW.`nas_id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `nas_sources_marked_updated` AFTER UPDATE OF `authenticator_seen_at` ON `nas_sources` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('n.' || NEW.`nas_id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `nas_sources_marked_deleted` AFTER DELETE ON `nas_sources` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('n.' || OLD.`nas_id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `settings_marked` AFTER INSERT ON `settings` WHEN (SELECT `marking` FROM `access_state`) = 1 AND (NEW.`isp_id` = 0) BEGIN INSERT INTO `access_marks` VALUES ('g.' || NEW.`key`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `settings_marked_updated` AFTER UPDATE ON `settings` WHEN (SELECT `marking` FROM `access_state`) = 1 AND (NEW.`isp_id` = 0) BEGIN INSERT INTO `access_marks` VALUES ('g.' || NEW.`key`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `settings_marked_deleted` AFTER DELETE ON `settings` WHEN (SELECT `marking` FROM `access_state`) = 1 AND (OLD.`isp_id` = 0) BEGIN INSERT INTO `access_marks` VALUES ('g.' || OLD.`key`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `sessions_marked` AFTER INSERT ON `sessions` WHEN (SELECT `marking` FROM `access_state`) = 1 AND (NEW.`stopped_at` IS NULL AND (NEW.`subscriber_id` IS NOT NULL OR NEW.`card_id` IS NOT NULL)) BEGIN INSERT INTO `access_marks` VALUES ('o.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `sessions_marked_updated` AFTER UPDATE OF `stopped_at`, `via_box`, `subscriber_id`, `mac`, `class` ON `sessions` WHEN (SELECT `marking` FROM `access_state`) = 1 AND ((NEW.`subscriber_id` IS NOT NULL OR NEW.`card_id` IS NOT NULL) AND (NEW.`stopped_at` IS NULL) + (OLD.`stopped_at` IS NULL) > 0 AND ((NEW.`stopped_at` IS NULL) <> (OLD.`stopped_at` IS NULL) OR NEW.`via_box` IS NOT OLD.`via_box` OR NEW.`subscriber_id` IS NOT OLD.`subscriber_id` OR NEW.`mac` IS NOT OLD.`mac` OR NEW.`class` IS NOT OLD.`class`)) BEGIN INSERT INTO `access_marks` VALUES ('o.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TABLE `book_changes` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`table_name` text NOT NULL,
	`key` text NOT NULL,
	`at` integer DEFAULT (unixepoch()) NOT NULL
) STRICT;--> statement-breakpoint
CREATE TRIGGER `isps_booked` AFTER INSERT ON `isps` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('isps', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `isps_booked_updated` AFTER UPDATE ON `isps` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('isps', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `isps_booked_deleted` AFTER DELETE ON `isps` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('isps', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `branches_booked` AFTER INSERT ON `branches` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('branches', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `branches_booked_updated` AFTER UPDATE ON `branches` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('branches', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `branches_booked_deleted` AFTER DELETE ON `branches` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('branches', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `cities_booked` AFTER INSERT ON `cities` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('cities', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `cities_booked_updated` AFTER UPDATE ON `cities` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('cities', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `cities_booked_deleted` AFTER DELETE ON `cities` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('cities', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `areas_booked` AFTER INSERT ON `areas` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('areas', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `areas_booked_updated` AFTER UPDATE ON `areas` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('areas', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `areas_booked_deleted` AFTER DELETE ON `areas` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('areas', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `subareas_booked` AFTER INSERT ON `subareas` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('subareas', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `subareas_booked_updated` AFTER UPDATE ON `subareas` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('subareas', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `subareas_booked_deleted` AFTER DELETE ON `subareas` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('subareas', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `roles_booked` AFTER INSERT ON `roles` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('roles', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `roles_booked_updated` AFTER UPDATE ON `roles` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('roles', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `roles_booked_deleted` AFTER DELETE ON `roles` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('roles', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `role_permissions_booked` AFTER INSERT ON `role_permissions` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('role_permissions', json_array(NEW.`role_code`, NEW.`flag`)); END;--> statement-breakpoint
CREATE TRIGGER `role_permissions_booked_updated` AFTER UPDATE ON `role_permissions` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('role_permissions', json_array(NEW.`role_code`, NEW.`flag`)); END;--> statement-breakpoint
CREATE TRIGGER `role_permissions_booked_deleted` AFTER DELETE ON `role_permissions` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('role_permissions', json_array(OLD.`role_code`, OLD.`flag`)); END;--> statement-breakpoint
CREATE TRIGGER `staff_booked` AFTER INSERT ON `staff` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('staff', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `staff_booked_updated` AFTER UPDATE ON `staff` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('staff', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `staff_booked_deleted` AFTER DELETE ON `staff` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('staff', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `staff_tokens_booked` AFTER INSERT ON `staff_tokens` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('staff_tokens', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `staff_tokens_booked_updated` AFTER UPDATE ON `staff_tokens` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('staff_tokens', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `staff_preferences_booked` AFTER INSERT ON `staff_preferences` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('staff_preferences', json_array(NEW.`staff_id`, NEW.`key`)); END;--> statement-breakpoint
CREATE TRIGGER `staff_preferences_booked_updated` AFTER UPDATE ON `staff_preferences` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('staff_preferences', json_array(NEW.`staff_id`, NEW.`key`)); END;--> statement-breakpoint
CREATE TRIGGER `staff_preferences_booked_deleted` AFTER DELETE ON `staff_preferences` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('staff_preferences', json_array(OLD.`staff_id`, OLD.`key`)); END;--> statement-breakpoint
CREATE TRIGGER `staff_recovery_codes_booked` AFTER INSERT ON `staff_recovery_codes` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('staff_recovery_codes', json_array(NEW.`staff_id`, NEW.`code_hash`)); END;--> statement-breakpoint
CREATE TRIGGER `staff_recovery_codes_booked_updated` AFTER UPDATE ON `staff_recovery_codes` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('staff_recovery_codes', json_array(NEW.`staff_id`, NEW.`code_hash`)); END;--> statement-breakpoint
CREATE TRIGGER `staff_recovery_codes_booked_deleted` AFTER DELETE ON `staff_recovery_codes` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('staff_recovery_codes', json_array(OLD.`staff_id`, OLD.`code_hash`)); END;--> statement-breakpoint
CREATE TRIGGER `nas_booked` AFTER INSERT ON `nas` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('nas', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `nas_booked_updated` AFTER UPDATE ON `nas` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('nas', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `nas_booked_deleted` AFTER DELETE ON `nas` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('nas', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `packages_booked` AFTER INSERT ON `packages` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('packages', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `packages_booked_updated` AFTER UPDATE ON `packages` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('packages', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `packages_booked_deleted` AFTER DELETE ON `packages` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('packages', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `subscribers_booked` AFTER INSERT ON `subscribers` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('subscribers', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `subscribers_booked_updated` AFTER UPDATE ON `subscribers` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('subscribers', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `subscribers_booked_deleted` AFTER DELETE ON `subscribers` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('subscribers', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `subscriber_tokens_booked` AFTER INSERT ON `subscriber_tokens` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('subscriber_tokens', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `subscriber_tokens_booked_updated` AFTER UPDATE ON `subscriber_tokens` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('subscriber_tokens', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `moves_booked` AFTER INSERT ON `moves` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('moves', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `moves_booked_updated` AFTER UPDATE ON `moves` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('moves', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `moves_booked_deleted` AFTER DELETE ON `moves` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('moves', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `moved_rows_booked` AFTER INSERT ON `moved_rows` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('moved_rows', json_array(NEW.`isp_id`, NEW.`source`, NEW.`kind`, NEW.`key`)); END;--> statement-breakpoint
CREATE TRIGGER `moved_rows_booked_updated` AFTER UPDATE ON `moved_rows` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('moved_rows', json_array(NEW.`isp_id`, NEW.`source`, NEW.`kind`, NEW.`key`)); END;--> statement-breakpoint
CREATE TRIGGER `moved_rows_booked_deleted` AFTER DELETE ON `moved_rows` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('moved_rows', json_array(OLD.`isp_id`, OLD.`source`, OLD.`kind`, OLD.`key`)); END;--> statement-breakpoint
CREATE TRIGGER `staff_notes_booked` AFTER INSERT ON `staff_notes` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('staff_notes', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `staff_notes_booked_updated` AFTER UPDATE ON `staff_notes` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('staff_notes', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `staff_notes_booked_deleted` AFTER DELETE ON `staff_notes` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('staff_notes', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `services_booked` AFTER INSERT ON `services` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('services', json_array(NEW.`subscriber_id`)); END;--> statement-breakpoint
CREATE TRIGGER `services_booked_updated` AFTER UPDATE OF `subscriber_id`, `package_id`, `password_sealed`, `nt_hash_sealed`, `expires_at`, `activated_at`, `quota_total`, `rate_limit`, `quota_exceeded`, `framed_pool`, `framed_ipv6_pool`, `delegated_ipv6_pool`, `address_list`, `expired_pool`, `expired_address_list`, `simultaneous_use`, `idle_timeout`, `anchor_day`, `anchor_time`, `frozen_at`, `paid_until`, `renews_from` ON `services` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('services', json_array(NEW.`subscriber_id`)); END;--> statement-breakpoint
CREATE TRIGGER `services_booked_deleted` AFTER DELETE ON `services` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('services', json_array(OLD.`subscriber_id`)); END;--> statement-breakpoint
CREATE TRIGGER `closings_booked` AFTER INSERT ON `closings` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('closings', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `closings_booked_updated` AFTER UPDATE ON `closings` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('closings', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `closings_booked_deleted` AFTER DELETE ON `closings` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('closings', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `card_batches_booked` AFTER INSERT ON `card_batches` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('card_batches', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `card_batches_booked_updated` AFTER UPDATE ON `card_batches` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('card_batches', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `card_batches_booked_deleted` AFTER DELETE ON `card_batches` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('card_batches', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `cards_booked` AFTER INSERT ON `cards` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('cards', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `cards_booked_updated` AFTER UPDATE OF `id`, `batch_id`, `serial`, `code_key`, `code_sealed`, `state`, `sold_at`, `sold_by`, `sale_payment_id`, `first_used_at`, `ends_at`, `used_up_at`, `locked_mac`, `redeemed_by`, `charged_at`, `voided_at`, `voided_by`, `void_reason` ON `cards` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('cards', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `cards_booked_deleted` AFTER DELETE ON `cards` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('cards', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `card_templates_booked` AFTER INSERT ON `card_templates` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('card_templates', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `card_templates_booked_updated` AFTER UPDATE ON `card_templates` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('card_templates', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `card_templates_booked_deleted` AFTER DELETE ON `card_templates` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('card_templates', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `invoices_booked` AFTER INSERT ON `invoices` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('invoices', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `invoices_booked_updated` AFTER UPDATE ON `invoices` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('invoices', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `invoices_booked_deleted` AFTER DELETE ON `invoices` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('invoices', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `payments_booked` AFTER INSERT ON `payments` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('payments', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `payments_booked_updated` AFTER UPDATE ON `payments` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('payments', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `payments_booked_deleted` AFTER DELETE ON `payments` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('payments', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `ledger_entries_booked` AFTER INSERT ON `ledger_entries` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('ledger_entries', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `ledger_entries_booked_updated` AFTER UPDATE ON `ledger_entries` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('ledger_entries', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `ledger_entries_booked_deleted` AFTER DELETE ON `ledger_entries` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('ledger_entries', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `credit_notes_booked` AFTER INSERT ON `credit_notes` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('credit_notes', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `credit_notes_booked_updated` AFTER UPDATE ON `credit_notes` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('credit_notes', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `credit_notes_booked_deleted` AFTER DELETE ON `credit_notes` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('credit_notes', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `extensions_booked` AFTER INSERT ON `extensions` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('extensions', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `extensions_booked_updated` AFTER UPDATE ON `extensions` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('extensions', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `extensions_booked_deleted` AFTER DELETE ON `extensions` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('extensions', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `freezes_booked` AFTER INSERT ON `freezes` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('freezes', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `freezes_booked_updated` AFTER UPDATE ON `freezes` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('freezes', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `freezes_booked_deleted` AFTER DELETE ON `freezes` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('freezes', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `auto_renewals_booked` AFTER INSERT ON `auto_renewals` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('auto_renewals', json_array(NEW.`subscriber_id`, NEW.`expires_at`)); END;--> statement-breakpoint
CREATE TRIGGER `auto_renewals_booked_updated` AFTER UPDATE ON `auto_renewals` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('auto_renewals', json_array(NEW.`subscriber_id`, NEW.`expires_at`)); END;--> statement-breakpoint
CREATE TRIGGER `payment_sources_booked` AFTER INSERT ON `payment_sources` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('payment_sources', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `payment_sources_booked_updated` AFTER UPDATE ON `payment_sources` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('payment_sources', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `payment_sources_booked_deleted` AFTER DELETE ON `payment_sources` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('payment_sources', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `incoming_payments_booked` AFTER INSERT ON `incoming_payments` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('incoming_payments', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `incoming_payments_booked_updated` AFTER UPDATE ON `incoming_payments` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('incoming_payments', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `bank_files_booked` AFTER INSERT ON `bank_files` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('bank_files', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `bank_files_booked_updated` AFTER UPDATE ON `bank_files` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('bank_files', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `bank_files_booked_deleted` AFTER DELETE ON `bank_files` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('bank_files', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `idempotency_keys_booked` AFTER INSERT ON `idempotency_keys` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('idempotency_keys', json_array(NEW.`staff_id`, NEW.`path`, NEW.`key`)); END;--> statement-breakpoint
CREATE TRIGGER `idempotency_keys_booked_updated` AFTER UPDATE ON `idempotency_keys` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('idempotency_keys', json_array(NEW.`staff_id`, NEW.`path`, NEW.`key`)); END;--> statement-breakpoint
CREATE TRIGGER `settings_booked` AFTER INSERT ON `settings` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('settings', json_array(NEW.`isp_id`, NEW.`key`)); END;--> statement-breakpoint
CREATE TRIGGER `settings_booked_updated` AFTER UPDATE ON `settings` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('settings', json_array(NEW.`isp_id`, NEW.`key`)); END;--> statement-breakpoint
CREATE TRIGGER `settings_booked_deleted` AFTER DELETE ON `settings` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('settings', json_array(OLD.`isp_id`, OLD.`key`)); END;--> statement-breakpoint
CREATE TRIGGER `logos_booked` AFTER INSERT ON `logos` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('logos', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `logos_booked_updated` AFTER UPDATE ON `logos` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('logos', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `logos_booked_deleted` AFTER DELETE ON `logos` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('logos', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `setup_steps_booked` AFTER INSERT ON `setup_steps` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('setup_steps', json_array(NEW.`step`)); END;--> statement-breakpoint
CREATE TRIGGER `setup_steps_booked_updated` AFTER UPDATE ON `setup_steps` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('setup_steps', json_array(NEW.`step`)); END;--> statement-breakpoint
CREATE TRIGGER `setup_steps_booked_deleted` AFTER DELETE ON `setup_steps` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('setup_steps', json_array(OLD.`step`)); END;--> statement-breakpoint
CREATE TRIGGER `webhook_endpoints_booked` AFTER INSERT ON `webhook_endpoints` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('webhook_endpoints', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `webhook_endpoints_booked_updated` AFTER UPDATE ON `webhook_endpoints` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('webhook_endpoints', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `webhook_endpoints_booked_deleted` AFTER DELETE ON `webhook_endpoints` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('webhook_endpoints', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `channels_booked` AFTER INSERT ON `channels` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('channels', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `channels_booked_updated` AFTER UPDATE ON `channels` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('channels', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `channels_booked_deleted` AFTER DELETE ON `channels` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('channels', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `message_templates_booked` AFTER INSERT ON `message_templates` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('message_templates', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `message_templates_booked_updated` AFTER UPDATE ON `message_templates` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('message_templates', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `message_templates_booked_deleted` AFTER DELETE ON `message_templates` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('message_templates', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `message_rules_booked` AFTER INSERT ON `message_rules` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('message_rules', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `message_rules_booked_updated` AFTER UPDATE ON `message_rules` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('message_rules', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `message_rules_booked_deleted` AFTER DELETE ON `message_rules` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('message_rules', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `events_booked` AFTER INSERT ON `events` WHEN (SELECT `marking` FROM `access_state`) = 1 AND (NEW.`type` NOT LIKE 'session.%') BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('events', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `events_booked_updated` AFTER UPDATE ON `events` WHEN (SELECT `marking` FROM `access_state`) = 1 AND (NEW.`type` NOT LIKE 'session.%') BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('events', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `webhook_deliveries_booked` AFTER INSERT ON `webhook_deliveries` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('webhook_deliveries', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `webhook_deliveries_booked_updated` AFTER UPDATE ON `webhook_deliveries` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('webhook_deliveries', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `messages_booked` AFTER INSERT ON `messages` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('messages', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `messages_booked_updated` AFTER UPDATE ON `messages` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('messages', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `access_boxes_booked` AFTER INSERT ON `access_boxes` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('access_boxes', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `access_boxes_booked_updated` AFTER UPDATE OF `id`, `name`, `nkey`, `seal_key`, `scope`, `created_at`, `created_by`, `removed_at` ON `access_boxes` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('access_boxes', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `access_boxes_booked_deleted` AFTER DELETE ON `access_boxes` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('access_boxes', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `access_state_booked` AFTER INSERT ON `access_state` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('access_state', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `access_state_booked_updated` AFTER UPDATE OF `id`, `key_sealed`, `key_number` ON `access_state` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('access_state', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `access_state_booked_deleted` AFTER DELETE ON `access_state` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('access_state', json_array(OLD.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `audit_entries_booked` AFTER INSERT ON `audit_entries` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('audit_entries', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `audit_entries_booked_updated` AFTER UPDATE ON `audit_entries` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('audit_entries', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `open_charges_booked` AFTER INSERT ON `open_charges` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('open_charges', json_array(NEW.`subscriber_id`, NEW.`entry_id`)); END;--> statement-breakpoint
CREATE TRIGGER `open_charges_booked_updated` AFTER UPDATE ON `open_charges` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('open_charges', json_array(NEW.`subscriber_id`, NEW.`entry_id`)); END;--> statement-breakpoint
CREATE TRIGGER `open_charges_booked_deleted` AFTER DELETE ON `open_charges` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('open_charges', json_array(OLD.`subscriber_id`, OLD.`entry_id`)); END;--> statement-breakpoint
CREATE TRIGGER `wallets_booked` AFTER INSERT ON `wallets` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('wallets', json_array(NEW.`subscriber_id`)); END;--> statement-breakpoint
CREATE TRIGGER `wallets_booked_updated` AFTER UPDATE ON `wallets` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('wallets', json_array(NEW.`subscriber_id`)); END;--> statement-breakpoint
CREATE TRIGGER `wallets_booked_deleted` AFTER DELETE ON `wallets` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('wallets', json_array(OLD.`subscriber_id`)); END;--> statement-breakpoint
CREATE TRIGGER `ledger_days_booked` AFTER INSERT ON `ledger_days` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('ledger_days', json_array(NEW.`isp_id`, NEW.`account`, NEW.`kind`, NEW.`day`, NEW.`branch_id`, NEW.`area_id`, NEW.`package_id`, NEW.`seller_id`, NEW.`staff_id`, NEW.`method`, NEW.`reached`)); END;--> statement-breakpoint
CREATE TRIGGER `ledger_days_booked_updated` AFTER UPDATE ON `ledger_days` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('ledger_days', json_array(NEW.`isp_id`, NEW.`account`, NEW.`kind`, NEW.`day`, NEW.`branch_id`, NEW.`area_id`, NEW.`package_id`, NEW.`seller_id`, NEW.`staff_id`, NEW.`method`, NEW.`reached`)); END;--> statement-breakpoint
CREATE TRIGGER `ledger_days_booked_deleted` AFTER DELETE ON `ledger_days` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('ledger_days', json_array(OLD.`isp_id`, OLD.`account`, OLD.`kind`, OLD.`day`, OLD.`branch_id`, OLD.`area_id`, OLD.`package_id`, OLD.`seller_id`, OLD.`staff_id`, OLD.`method`, OLD.`reached`)); END;--> statement-breakpoint
CREATE TRIGGER `ledger_months_booked` AFTER INSERT ON `ledger_months` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('ledger_months', json_array(NEW.`isp_id`, NEW.`account`, NEW.`kind`, NEW.`month`, NEW.`branch_id`, NEW.`area_id`, NEW.`package_id`, NEW.`seller_id`, NEW.`staff_id`, NEW.`method`, NEW.`reached`)); END;--> statement-breakpoint
CREATE TRIGGER `ledger_months_booked_updated` AFTER UPDATE ON `ledger_months` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('ledger_months', json_array(NEW.`isp_id`, NEW.`account`, NEW.`kind`, NEW.`month`, NEW.`branch_id`, NEW.`area_id`, NEW.`package_id`, NEW.`seller_id`, NEW.`staff_id`, NEW.`method`, NEW.`reached`)); END;--> statement-breakpoint
CREATE TRIGGER `ledger_months_booked_deleted` AFTER DELETE ON `ledger_months` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('ledger_months', json_array(OLD.`isp_id`, OLD.`account`, OLD.`kind`, OLD.`month`, OLD.`branch_id`, OLD.`area_id`, OLD.`package_id`, OLD.`seller_id`, OLD.`staff_id`, OLD.`method`, OLD.`reached`)); END;--> statement-breakpoint
CREATE TRIGGER `card_counts_booked` AFTER INSERT ON `card_counts` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('card_counts', json_array(NEW.`batch_id`)); END;--> statement-breakpoint
CREATE TRIGGER `card_counts_booked_updated` AFTER UPDATE ON `card_counts` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('card_counts', json_array(NEW.`batch_id`)); END;--> statement-breakpoint
CREATE TRIGGER `card_counts_booked_deleted` AFTER DELETE ON `card_counts` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('card_counts', json_array(OLD.`batch_id`)); END;--> statement-breakpoint
CREATE TRIGGER `card_days_booked` AFTER INSERT ON `card_days` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('card_days', json_array(NEW.`isp_id`, NEW.`day`, NEW.`branch_id`, NEW.`kind`, NEW.`package_id`, NEW.`price`, NEW.`part`, NEW.`reseller_id`, NEW.`seller_id`)); END;--> statement-breakpoint
CREATE TRIGGER `card_days_booked_updated` AFTER UPDATE ON `card_days` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('card_days', json_array(NEW.`isp_id`, NEW.`day`, NEW.`branch_id`, NEW.`kind`, NEW.`package_id`, NEW.`price`, NEW.`part`, NEW.`reseller_id`, NEW.`seller_id`)); END;--> statement-breakpoint
CREATE TRIGGER `card_days_booked_deleted` AFTER DELETE ON `card_days` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('card_days', json_array(OLD.`isp_id`, OLD.`day`, OLD.`branch_id`, OLD.`kind`, OLD.`package_id`, OLD.`price`, OLD.`part`, OLD.`reseller_id`, OLD.`seller_id`)); END;--> statement-breakpoint
CREATE TRIGGER `event_counts_booked` AFTER INSERT ON `event_counts` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('event_counts', json_array(NEW.`subscriber_id`)); END;--> statement-breakpoint
CREATE TRIGGER `event_counts_booked_updated` AFTER UPDATE ON `event_counts` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('event_counts', json_array(NEW.`subscriber_id`)); END;--> statement-breakpoint
CREATE TRIGGER `event_counts_booked_deleted` AFTER DELETE ON `event_counts` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('event_counts', json_array(OLD.`subscriber_id`)); END;--> statement-breakpoint
CREATE TRIGGER `sequences_booked` AFTER INSERT ON `sequences` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('sequences', json_array(NEW.`name`)); END;--> statement-breakpoint
CREATE TRIGGER `sequences_booked_updated` AFTER UPDATE ON `sequences` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('sequences', json_array(NEW.`name`)); END;--> statement-breakpoint
CREATE TRIGGER `sequences_booked_deleted` AFTER DELETE ON `sequences` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('sequences', json_array(OLD.`name`)); END;--> statement-breakpoint
CREATE TRIGGER `counters_booked` AFTER INSERT ON `counters` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('counters', json_array(NEW.`isp_id`, NEW.`series`)); END;--> statement-breakpoint
CREATE TRIGGER `counters_booked_updated` AFTER UPDATE ON `counters` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('counters', json_array(NEW.`isp_id`, NEW.`series`)); END;--> statement-breakpoint
CREATE TRIGGER `counters_booked_deleted` AFTER DELETE ON `counters` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('counters', json_array(OLD.`isp_id`, OLD.`series`)); END;--> statement-breakpoint
CREATE TRIGGER `marks_booked` AFTER INSERT ON `marks` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('marks', json_array(NEW.`name`)); END;--> statement-breakpoint
CREATE TRIGGER `marks_booked_updated` AFTER UPDATE ON `marks` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('marks', json_array(NEW.`name`)); END;--> statement-breakpoint
CREATE TRIGGER `marks_booked_deleted` AFTER DELETE ON `marks` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('marks', json_array(OLD.`name`)); END;
