CREATE TABLE `address_pools` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`name` text NOT NULL,
	`range` text NOT NULL,
	`length` integer,
	`next` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `address_pools_name` ON `address_pools` (`isp_id`,`name`);--> statement-breakpoint
ALTER TABLE `nas` ADD `dhcp` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `packages` ADD `address_pool` text;--> statement-breakpoint
ALTER TABLE `packages` ADD `delegated_ipv6_from` text;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `circuit_id` text;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `remote_id` text;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `pool_ip` text;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `pool_prefix` text;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `pool_ip_from` integer REFERENCES address_pools(id);--> statement-breakpoint
ALTER TABLE `subscribers` ADD `pool_prefix_from` integer REFERENCES address_pools(id);--> statement-breakpoint
CREATE INDEX `subscribers_circuit` ON `subscribers` (`circuit_id`) WHERE circuit_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscribers_remote` ON `subscribers` (`remote_id`) WHERE remote_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_pool_ip` ON `subscribers` (`pool_ip`,`isp_id`) WHERE pool_ip_from IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_pool_prefix` ON `subscribers` (`pool_prefix`,`isp_id`) WHERE pool_prefix_from IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscribers_pool_ip_any` ON `subscribers` (`pool_ip`) WHERE pool_ip IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscribers_pool_ip_from` ON `subscribers` (`pool_ip_from`) WHERE pool_ip_from IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscribers_pool_prefix_from` ON `subscribers` (`pool_prefix_from`) WHERE pool_prefix_from IS NOT NULL;--> statement-breakpoint
-- routers whose DHCP servers asked before go on being answered
UPDATE `nas` SET `dhcp` = 1 WHERE EXISTS (SELECT 1 FROM `subscribers` s WHERE s.`isp_id` = `nas`.`isp_id` AND s.`mac_login` = 1);--> statement-breakpoint
DROP TRIGGER `subscribers_marked_updated`;--> statement-breakpoint
CREATE TRIGGER `subscribers_marked_updated` AFTER UPDATE OF `isp_id`, `branch_id`, `username_key`, `password_sealed`, `connection_type_id`, `static_ip`, `framed_ipv6_prefix`, `delegated_ipv6_prefix`, `mac_address`, `mac_lock`, `mac_login`, `status`, `archived_at`, `any_connection`, `reply_attributes`, `circuit_id`, `remote_id`, `pool_ip`, `pool_prefix` ON `subscribers` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `address_pools_booked` AFTER INSERT ON `address_pools` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('address_pools', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `address_pools_booked_updated` AFTER UPDATE ON `address_pools` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('address_pools', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `address_pools_booked_deleted` AFTER DELETE ON `address_pools` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('address_pools', json_array(OLD.`id`)); END;
