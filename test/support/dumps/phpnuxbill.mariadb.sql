/*M!999999\- enable the sandbox mode */ 
-- MariaDB dump 10.19  Distrib 10.11.19-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: localhost    Database: phpnuxbill
-- ------------------------------------------------------
-- Server version	10.11.19-MariaDB-0+deb12u1

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;

--
-- Table structure for table `tbl_appconfig`
--

DROP TABLE IF EXISTS `tbl_appconfig`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `tbl_appconfig` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `setting` mediumtext NOT NULL,
  `value` mediumtext DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `tbl_appconfig`
--

LOCK TABLES `tbl_appconfig` WRITE;
/*!40000 ALTER TABLE `tbl_appconfig` DISABLE KEYS */;
INSERT INTO `tbl_appconfig` VALUES
(1,'CompanyName','Example Net'),
(2,'currency_code','Rp.'),
(3,'timezone','Asia/Jakarta');
/*!40000 ALTER TABLE `tbl_appconfig` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `tbl_bandwidth`
--

DROP TABLE IF EXISTS `tbl_bandwidth`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `tbl_bandwidth` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `name_bw` varchar(255) NOT NULL,
  `rate_down` int(10) unsigned NOT NULL,
  `rate_down_unit` enum('Kbps','Mbps') NOT NULL,
  `rate_up` int(10) unsigned NOT NULL,
  `rate_up_unit` enum('Kbps','Mbps') NOT NULL,
  `burst` varchar(128) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `tbl_bandwidth`
--

LOCK TABLES `tbl_bandwidth` WRITE;
/*!40000 ALTER TABLE `tbl_bandwidth` DISABLE KEYS */;
INSERT INTO `tbl_bandwidth` VALUES
(1,'10 Mbps',10,'Mbps',2048,'Kbps',''),
(2,'20M burst',20,'Mbps',5,'Mbps','10M/40M 4M/16M 10/10 8 1M/2M'),
(3,'no limit',0,'Mbps',0,'Mbps','');
/*!40000 ALTER TABLE `tbl_bandwidth` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `tbl_customers`
--

DROP TABLE IF EXISTS `tbl_customers`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `tbl_customers` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `username` varchar(45) NOT NULL,
  `password` varchar(45) NOT NULL,
  `photo` varchar(128) NOT NULL DEFAULT '/user.default.jpg',
  `pppoe_username` varchar(32) NOT NULL DEFAULT '',
  `pppoe_password` varchar(45) NOT NULL DEFAULT '' COMMENT 'of the line',
  `pppoe_ip` varchar(32) NOT NULL DEFAULT '',
  `fullname` varchar(45) NOT NULL,
  `address` mediumtext DEFAULT NULL,
  `city` varchar(255) DEFAULT NULL,
  `district` varchar(255) DEFAULT NULL,
  `state` varchar(255) DEFAULT NULL,
  `zip` varchar(10) DEFAULT NULL,
  `phonenumber` varchar(20) DEFAULT '0',
  `email` varchar(128) NOT NULL DEFAULT '1',
  `coordinates` varchar(50) NOT NULL DEFAULT '',
  `account_type` enum('Business','Personal') DEFAULT 'Personal',
  `balance` decimal(15,2) NOT NULL DEFAULT 0.00,
  `service_type` enum('Hotspot','PPPoE','Others') DEFAULT 'Others',
  `auto_renewal` tinyint(1) NOT NULL DEFAULT 1,
  `status` enum('Active','Banned','Disabled','Inactive','Limited','Suspended') NOT NULL DEFAULT 'Active',
  `created_by` int(11) NOT NULL DEFAULT 0,
  `created_at` timestamp NOT NULL DEFAULT current_timestamp(),
  `last_login` datetime DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=12 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `tbl_customers`
--

LOCK TABLES `tbl_customers` WRITE;
/*!40000 ALTER TABLE `tbl_customers` DISABLE KEYS */;
INSERT INTO `tbl_customers` VALUES
(1,'081234567890','portal-1','/user.default.jpg','budi','pppoe\'budi\\1','10.10.0.5','Budi Santoso','Jl. Merdeka 1\nRT 02','Bandung',NULL,NULL,NULL,'081234567890','budi@example.net','-6.914744,107.609810','Personal',50000.00,'PPPoE',1,'Active',0,'2024-01-05 03:00:00','2026-11-20 10:00:00'),
(2,'siti','siti-2','/user.default.jpg','','','','Siti Rahma','',NULL,NULL,NULL,NULL,'0','1','','Personal',0.00,'Hotspot',1,'Active',0,'2024-02-01 03:00:00',NULL),
(3,'owes','owes-3','/user.default.jpg','','owes-pppoe','','Toko \"Maju\" & Co',NULL,'',NULL,NULL,NULL,'0812','toko@example.net','','Business',-12500.50,'PPPoE',0,'Active',0,'2024-03-01 03:00:00',NULL),
(4,'banned','banned-4','/user.default.jpg','','','','Banned One','','',NULL,NULL,NULL,'-','a@b','','Personal',0.00,'Hotspot',1,'Banned',0,'2024-03-02 03:00:00',NULL),
(5,'disabled','disabled-5','/user.default.jpg','disabled','disabled-5','','Disabled One','','',NULL,NULL,NULL,'null','','','Personal',0.00,'PPPoE',1,'Disabled',0,'2024-03-03 03:00:00',NULL),
(6,'suspended','suspended-6','/user.default.jpg','','','','Suspended One','','',NULL,NULL,NULL,'','','','Personal',0.00,'Others',1,'Suspended',0,'2024-03-04 03:00:00',NULL),
(7,'no.recharge','no-7','/user.default.jpg','','','','Never Bought','','',NULL,NULL,NULL,'0811111111','','','Personal',99.00,'Others',1,'Active',0,'2024-03-05 03:00:00',NULL),
(8,'أحمد','كلمة','/user.default.jpg','','','','أحمد علي 🌙','شارع ١','',NULL,NULL,NULL,'0811111111','','999,999','Personal',0.00,'Hotspot',1,'Active',0,'2024-03-06 03:00:00',NULL),
(9,'Siti','siti-9','/user.default.jpg','','','','Siti, the other','','',NULL,NULL,NULL,'N/A','SITI@EXAMPLE.NET','','Personal',0.00,'Hotspot',1,'Active',0,'2024-03-07 03:00:00',NULL),
(10,'two.plans','two-10','/user.default.jpg','','','','Two Plans','','',NULL,NULL,NULL,'0812222222','two@example.net','','Personal',1.00,'Others',1,'Active',0,'2024-03-08 03:00:00',NULL),
(11,'expired','expired-11','/user.default.jpg','','','','Long Ago','','',NULL,NULL,NULL,'0813333333','','','Personal',0.00,'PPPoE',0,'Active',0,'2023-03-08 03:00:00',NULL);
/*!40000 ALTER TABLE `tbl_customers` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `tbl_customers_fields`
--

DROP TABLE IF EXISTS `tbl_customers_fields`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `tbl_customers_fields` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `customer_id` int(11) NOT NULL,
  `field_name` varchar(255) NOT NULL,
  `field_value` varchar(255) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `tbl_customers_fields`
--

LOCK TABLES `tbl_customers_fields` WRITE;
/*!40000 ALTER TABLE `tbl_customers_fields` DISABLE KEYS */;
INSERT INTO `tbl_customers_fields` VALUES
(1,1,'Invoice','by post'),
(2,1,'Bill','175000:3');
/*!40000 ALTER TABLE `tbl_customers_fields` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `tbl_plans`
--

DROP TABLE IF EXISTS `tbl_plans`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `tbl_plans` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name_plan` varchar(40) NOT NULL,
  `id_bw` int(11) NOT NULL,
  `price` varchar(40) NOT NULL,
  `price_old` varchar(40) NOT NULL DEFAULT '',
  `type` enum('Hotspot','PPPOE','Balance') NOT NULL,
  `typebp` enum('Unlimited','Limited') DEFAULT NULL,
  `limit_type` enum('Time_Limit','Data_Limit','Both_Limit') DEFAULT NULL,
  `time_limit` int(10) unsigned DEFAULT NULL,
  `time_unit` enum('Mins','Hrs') DEFAULT NULL,
  `data_limit` int(10) unsigned DEFAULT NULL,
  `data_unit` enum('MB','GB') DEFAULT NULL,
  `validity` int(11) NOT NULL,
  `validity_unit` enum('Mins','Hrs','Days','Months','Period') NOT NULL,
  `shared_users` int(11) DEFAULT NULL,
  `routers` varchar(32) NOT NULL,
  `is_radius` tinyint(1) NOT NULL DEFAULT 0,
  `pool` varchar(40) DEFAULT NULL,
  `plan_expired` int(11) NOT NULL DEFAULT 0,
  `expired_date` tinyint(1) NOT NULL DEFAULT 20,
  `enabled` tinyint(1) NOT NULL DEFAULT 1 COMMENT '0 is sold no more\r\n',
  `prepaid` enum('yes','no') DEFAULT 'yes',
  `plan_type` enum('Business','Personal') DEFAULT 'Personal',
  `device` varchar(32) NOT NULL DEFAULT '',
  `on_login` text DEFAULT NULL,
  `on_logout` text DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=8 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `tbl_plans`
--

LOCK TABLES `tbl_plans` WRITE;
/*!40000 ALTER TABLE `tbl_plans` DISABLE KEYS */;
INSERT INTO `tbl_plans` VALUES
(1,'Home 10M',1,'150000','','PPPOE','Unlimited',NULL,NULL,NULL,NULL,NULL,30,'Days',1,'main',0,'pool-pppoe',6,20,1,'yes','Personal','MikrotikPppoe',':log info \"it\'s on\"; /queue print\n# second line',NULL),
(2,'Home 20M monthly',2,'250000.50','','PPPOE','Unlimited',NULL,NULL,NULL,NULL,NULL,1,'Months',1,'main',1,'pool-pppoe',0,20,1,'yes','Personal','Radius',NULL,NULL),
(3,'Hotspot 1 hour',1,'2000','','Hotspot','Limited','Time_Limit',60,'Mins',NULL,NULL,1,'Days',1,'hotspot',0,NULL,0,20,1,'yes','Personal','MikrotikHotspot',NULL,NULL),
(4,'Hotspot 5 GB',1,'10000','','Hotspot','Limited','Data_Limit',NULL,NULL,5,'GB',7,'Days',3,'hotspot',0,NULL,0,20,1,'yes','Personal','MikrotikHotspot',NULL,NULL),
(5,'Office, paid after',3,'500000','','PPPOE','Unlimited',NULL,NULL,NULL,NULL,NULL,1,'Period',1,'main',0,NULL,0,20,1,'no','Personal','MikrotikPppoe',NULL,NULL),
(6,'Expired pool',3,'0','','PPPOE','Unlimited',NULL,NULL,NULL,NULL,NULL,1,'Days',1,'main',0,'pool-expired',0,20,0,'yes','Personal','MikrotikPppoe',NULL,NULL),
(7,'Balance 50k',3,'50000','','Balance',NULL,NULL,NULL,NULL,NULL,NULL,0,'Months',NULL,'',0,NULL,0,20,1,'yes','Personal','',NULL,NULL);
/*!40000 ALTER TABLE `tbl_plans` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `tbl_pool`
--

DROP TABLE IF EXISTS `tbl_pool`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `tbl_pool` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `pool_name` varchar(40) NOT NULL,
  `local_ip` varchar(40) NOT NULL DEFAULT '',
  `range_ip` varchar(40) NOT NULL,
  `routers` varchar(40) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `tbl_pool`
--

LOCK TABLES `tbl_pool` WRITE;
/*!40000 ALTER TABLE `tbl_pool` DISABLE KEYS */;
INSERT INTO `tbl_pool` VALUES
(1,'pool-pppoe','10.10.0.1','10.10.0.2-10.10.3.254','main'),
(2,'pool-expired','','10.99.0.2-10.99.3.254','main');
/*!40000 ALTER TABLE `tbl_pool` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `tbl_routers`
--

DROP TABLE IF EXISTS `tbl_routers`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `tbl_routers` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(32) NOT NULL,
  `ip_address` varchar(128) NOT NULL,
  `username` varchar(50) NOT NULL,
  `password` varchar(60) NOT NULL,
  `description` varchar(256) DEFAULT NULL,
  `coordinates` varchar(50) NOT NULL DEFAULT '',
  `status` enum('Online','Offline') DEFAULT 'Online',
  `last_seen` datetime DEFAULT NULL,
  `coverage` varchar(8) NOT NULL DEFAULT '0',
  `enabled` tinyint(1) NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `tbl_routers`
--

LOCK TABLES `tbl_routers` WRITE;
/*!40000 ALTER TABLE `tbl_routers` DISABLE KEYS */;
INSERT INTO `tbl_routers` VALUES
(1,'main','10.0.0.1','api','router\'password','','','Online',NULL,'0',1),
(2,'hotspot','10.0.0.2:8728','api','router-password',NULL,'','Online',NULL,'0',1),
(3,'by name','router.example.net','api','x','a name','','Online',NULL,'0',0);
/*!40000 ALTER TABLE `tbl_routers` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `tbl_transactions`
--

DROP TABLE IF EXISTS `tbl_transactions`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `tbl_transactions` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `invoice` varchar(25) NOT NULL,
  `username` varchar(32) NOT NULL,
  `user_id` int(11) NOT NULL DEFAULT 0,
  `plan_name` varchar(40) NOT NULL,
  `price` varchar(40) NOT NULL,
  `recharged_on` date NOT NULL,
  `recharged_time` time NOT NULL DEFAULT '00:00:00',
  `expiration` date NOT NULL,
  `time` time NOT NULL,
  `method` varchar(128) NOT NULL,
  `routers` varchar(32) NOT NULL,
  `type` enum('Hotspot','PPPOE','Balance') NOT NULL,
  `note` varchar(256) NOT NULL DEFAULT '',
  `admin_id` int(11) NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `tbl_transactions`
--

LOCK TABLES `tbl_transactions` WRITE;
/*!40000 ALTER TABLE `tbl_transactions` DISABLE KEYS */;
INSERT INTO `tbl_transactions` VALUES
(1,'INV-1','081234567890',1,'Home 10M','150000','2026-10-10','09:30:00','2026-11-10','09:30:00','Recharge - Administrator','main','PPPOE','',1),
(2,'INV-2','081234567890',1,'Home 10M','150000','2026-11-10','09:30:00','2026-12-10','09:30:00','Recharge - Administrator','main','PPPOE','paid \"late\"; it\'s ok',1),
(3,'INV-3','081234567890',1,'Balance 50k','50000','2026-11-11','09:30:00','2026-11-11','09:30:00','Deposit - Administrator','balance','Balance','',1),
(4,'INV-4','siti',2,'Hotspot 5 GB','10000','2026-11-20','10:00:00','2026-11-27','10:00:00','Voucher - ABCD1234','hotspot','Hotspot','',1);
/*!40000 ALTER TABLE `tbl_transactions` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `tbl_user_recharges`
--

DROP TABLE IF EXISTS `tbl_user_recharges`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `tbl_user_recharges` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `customer_id` int(11) NOT NULL,
  `username` varchar(32) NOT NULL,
  `plan_id` int(11) NOT NULL,
  `namebp` varchar(40) NOT NULL,
  `recharged_on` date NOT NULL,
  `recharged_time` time NOT NULL DEFAULT '00:00:00',
  `expiration` date NOT NULL,
  `time` time NOT NULL,
  `status` varchar(20) NOT NULL,
  `method` varchar(128) NOT NULL DEFAULT '',
  `routers` varchar(32) NOT NULL,
  `type` varchar(15) NOT NULL,
  `admin_id` int(11) NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=12 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `tbl_user_recharges`
--

LOCK TABLES `tbl_user_recharges` WRITE;
/*!40000 ALTER TABLE `tbl_user_recharges` DISABLE KEYS */;
INSERT INTO `tbl_user_recharges` VALUES
(1,1,'081234567890',1,'Home 10M','2026-11-10','09:30:00','2026-12-10','09:30:00','on','Recharge - Administrator','main','PPPOE',1),
(2,2,'siti',4,'Hotspot 5 GB','2026-11-20','10:00:00','2026-11-27','10:00:00','on','Voucher - ABCD1234','hotspot','Hotspot',1),
(3,3,'owes',5,'Office, paid after','2026-11-01','00:00:00','2026-12-20','23:59:00','on','Recharge - Administrator','main','PPPOE',1),
(4,4,'banned',3,'Hotspot 1 hour','2026-01-01','10:00:00','2026-01-02','10:00:00','off','Voucher - X','hotspot','Hotspot',1),
(5,8,'أحمد',3,'Hotspot 1 hour','2026-11-22','08:00:00','2026-11-23','08:00:00','on','Voucher - Y','hotspot','Hotspot',1),
(6,10,'two.plans',1,'Home 10M','2026-10-01','08:00:00','2026-10-31','08:00:00','off','Recharge','main','PPPOE',1),
(7,10,'two.plans',4,'Hotspot 5 GB','2026-11-21','08:00:00','2026-11-28','08:00:00','on','Recharge','hotspot','Hotspot',1),
(8,11,'expired',2,'Home 20M monthly','2025-01-01','08:00:00','2025-02-01','08:00:00','off','Recharge','main','PPPOE',1),
(9,99,'who left',2,'Home 20M monthly','2025-01-01','08:00:00','2025-02-01','08:00:00','off','Recharge','main','PPPOE',1),
(10,5,'disabled',1,'Home 10M','2026-11-10','09:30:00','2026-12-10','09:30:00','on','Recharge','main','PPPOE',1),
(11,6,'suspended',77,'A plan that is gone','2026-11-10','09:30:00','2026-12-10','09:30:00','on','Recharge','main','PPPOE',1);
/*!40000 ALTER TABLE `tbl_user_recharges` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `tbl_users`
--

DROP TABLE IF EXISTS `tbl_users`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `tbl_users` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `root` int(11) NOT NULL DEFAULT 0,
  `photo` varchar(128) NOT NULL DEFAULT '/admin.default.png',
  `username` varchar(45) NOT NULL DEFAULT '',
  `fullname` varchar(45) NOT NULL DEFAULT '',
  `password` varchar(64) NOT NULL,
  `phone` varchar(32) NOT NULL DEFAULT '',
  `email` varchar(128) NOT NULL DEFAULT '',
  `user_type` enum('SuperAdmin','Admin','Report','Agent','Sales') NOT NULL,
  `status` enum('Active','Inactive') NOT NULL DEFAULT 'Active',
  `data` text DEFAULT NULL,
  `last_login` datetime DEFAULT NULL,
  `creationdate` datetime NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `tbl_users`
--

LOCK TABLES `tbl_users` WRITE;
/*!40000 ALTER TABLE `tbl_users` DISABLE KEYS */;
INSERT INTO `tbl_users` VALUES
(1,0,'/admin.default.png','admin','Administrator','d033e22ae348aeb5660fc2140aec35850c4da997','','','SuperAdmin','Active',NULL,NULL,'2014-06-23 01:43:07'),
(2,0,'/admin.default.png','agent1','Agent One','d033e22ae348aeb5660fc2140aec35850c4da997','','','Agent','Active',NULL,NULL,'2024-06-23 01:43:07');
/*!40000 ALTER TABLE `tbl_users` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `tbl_voucher`
--

DROP TABLE IF EXISTS `tbl_voucher`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `tbl_voucher` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `type` enum('Hotspot','PPPOE') NOT NULL,
  `routers` varchar(32) NOT NULL,
  `id_plan` int(11) NOT NULL,
  `code` varchar(55) NOT NULL,
  `user` varchar(45) NOT NULL,
  `status` varchar(25) NOT NULL,
  `created_at` timestamp NOT NULL DEFAULT current_timestamp(),
  `used_date` datetime DEFAULT NULL,
  `generated_by` int(11) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `tbl_voucher`
--

LOCK TABLES `tbl_voucher` WRITE;
/*!40000 ALTER TABLE `tbl_voucher` DISABLE KEYS */;
INSERT INTO `tbl_voucher` VALUES
(1,'Hotspot','hotspot',3,'HS-11112222','0','0','2026-11-01 00:00:00',NULL,0),
(2,'Hotspot','hotspot',3,'HS-33334444','0','0','2026-11-01 00:00:00',NULL,0),
(3,'Hotspot','hotspot',4,'ABCD1234','siti','1','2026-11-01 00:00:00','2026-11-20 10:00:00',0),
(4,'PPPOE','main',77,'OF-A-GONE-PLAN','0','0','2026-11-01 00:00:00',NULL,0);
/*!40000 ALTER TABLE `tbl_voucher` ENABLE KEYS */;
UNLOCK TABLES;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

-- Dump completed on 2026-11-22 12:05:53
