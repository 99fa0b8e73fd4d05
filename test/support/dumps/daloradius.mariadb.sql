/*M!999999\- enable the sandbox mode */ 
-- MariaDB dump 10.19  Distrib 10.11.19-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: localhost    Database: daloradius
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
-- Table structure for table `batch_history`
--

DROP TABLE IF EXISTS `batch_history`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `batch_history` (
  `id` int(32) NOT NULL AUTO_INCREMENT,
  `batch_name` varchar(64) DEFAULT NULL,
  `batch_description` varchar(256) DEFAULT NULL,
  `hotspot_id` int(32) DEFAULT 0,
  `batch_status` varchar(128) NOT NULL DEFAULT 'Pending',
  `creationdate` datetime DEFAULT '0000-00-00 00:00:00',
  `creationby` varchar(128) DEFAULT NULL,
  `updatedate` datetime DEFAULT '0000-00-00 00:00:00',
  `updateby` varchar(128) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `batch_history`
--

LOCK TABLES `batch_history` WRITE;
/*!40000 ALTER TABLE `batch_history` DISABLE KEYS */;
INSERT INTO `batch_history` VALUES
(1,'summer-2026','Cards for the café; 50% \"off\"',0,'Active','2026-06-01 09:00:00','administrator','0000-00-00 00:00:00',NULL);
/*!40000 ALTER TABLE `batch_history` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `billing_plans`
--

DROP TABLE IF EXISTS `billing_plans`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `billing_plans` (
  `id` int(8) NOT NULL AUTO_INCREMENT,
  `planname` varchar(200) DEFAULT NULL,
  `planid` varchar(200) DEFAULT NULL,
  `plantype` varchar(200) DEFAULT NULL,
  `plantimebank` varchar(200) DEFAULT NULL,
  `plantimetype` varchar(200) DEFAULT NULL,
  `plantimerefillcost` varchar(200) DEFAULT NULL,
  `planbandwidthup` varchar(200) DEFAULT NULL,
  `planbandwidthdown` varchar(200) DEFAULT NULL,
  `plantraffictotal` varchar(200) DEFAULT NULL,
  `plantrafficup` varchar(200) DEFAULT NULL,
  `plantrafficdown` varchar(200) DEFAULT NULL,
  `plantrafficrefillcost` varchar(200) DEFAULT NULL,
  `planrecurring` varchar(200) DEFAULT NULL,
  `planrecurringperiod` varchar(200) DEFAULT NULL,
  `planrecurringbillingschedule` varchar(128) NOT NULL DEFAULT 'Fixed',
  `plancost` varchar(200) DEFAULT NULL,
  `plansetupcost` varchar(200) DEFAULT NULL,
  `plantax` varchar(200) DEFAULT NULL,
  `plancurrency` varchar(200) DEFAULT NULL,
  `plangroup` varchar(200) DEFAULT NULL,
  `planactive` varchar(32) NOT NULL DEFAULT 'yes',
  `creationdate` datetime DEFAULT '0000-00-00 00:00:00',
  `creationby` varchar(128) DEFAULT NULL,
  `updatedate` datetime DEFAULT '0000-00-00 00:00:00',
  `updateby` varchar(128) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=6 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `billing_plans`
--

LOCK TABLES `billing_plans` WRITE;
/*!40000 ALTER TABLE `billing_plans` DISABLE KEYS */;
INSERT INTO `billing_plans` VALUES
(1,'Home 10M','1','Prepaid','','Accumulative',NULL,'2048','10240','',NULL,NULL,NULL,'Yes','Monthly','Fixed','15.50',NULL,'16','JOD','10M','yes','0000-00-00 00:00:00',NULL,'0000-00-00 00:00:00',NULL),
(2,'Gold \"20\"','2','Postpaid','','',NULL,'','','107374182400',NULL,NULL,NULL,'Yes','Monthly','Fixed','25',NULL,'','JOD','20M Gold','yes','0000-00-00 00:00:00',NULL,'0000-00-00 00:00:00',NULL),
(3,'باقة ذهبية','3','Prepaid','','',NULL,'','','',NULL,NULL,NULL,'Yes','Weekly','Fixed','7,250',NULL,'','JOD','ذهبي','yes','0000-00-00 00:00:00',NULL,'0000-00-00 00:00:00',NULL),
(4,'Hotspot hour','4','Prepaid','3600','Time-To-Finish',NULL,'','','',NULL,NULL,NULL,'No','Never','Fixed','1.00',NULL,'','JOD','hotspot-1h','yes','0000-00-00 00:00:00',NULL,'0000-00-00 00:00:00',NULL),
(5,'Sold no more','5','Prepaid','','',NULL,'','','',NULL,NULL,NULL,'Yes','Yearly','Fixed','',NULL,'','','','no','0000-00-00 00:00:00',NULL,'0000-00-00 00:00:00',NULL);
/*!40000 ALTER TABLE `billing_plans` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `billing_plans_profiles`
--

DROP TABLE IF EXISTS `billing_plans_profiles`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `billing_plans_profiles` (
  `id` int(32) NOT NULL AUTO_INCREMENT,
  `plan_name` varchar(128) NOT NULL,
  `profile_name` varchar(256) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `billing_plans_profiles`
--

LOCK TABLES `billing_plans_profiles` WRITE;
/*!40000 ALTER TABLE `billing_plans_profiles` DISABLE KEYS */;
INSERT INTO `billing_plans_profiles` VALUES
(1,'Home 10M','10M'),
(2,'Gold \"20\"','20M Gold'),
(3,'باقة ذهبية','ذهبي'),
(4,'Hotspot hour','hotspot-1h');
/*!40000 ALTER TABLE `billing_plans_profiles` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `nas`
--

DROP TABLE IF EXISTS `nas`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `nas` (
  `id` int(10) NOT NULL AUTO_INCREMENT,
  `nasname` varchar(128) NOT NULL,
  `shortname` varchar(32) DEFAULT NULL,
  `type` varchar(30) DEFAULT 'other',
  `ports` int(5) DEFAULT NULL,
  `secret` varchar(60) NOT NULL DEFAULT 'secret',
  `server` varchar(64) DEFAULT NULL,
  `community` varchar(50) DEFAULT NULL,
  `description` varchar(200) DEFAULT 'RADIUS Client',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `nas`
--

LOCK TABLES `nas` WRITE;
/*!40000 ALTER TABLE `nas` DISABLE KEYS */;
INSERT INTO `nas` VALUES
(1,'10.0.0.1','main','other',1812,'it\'s a \\ secret',NULL,NULL,'Main router'),
(2,'10.0.0.2','hotspot','mikrotik',NULL,'hotspot-secret',NULL,NULL,'Café «Zentral» — مقهى'),
(3,'10.20.0.0/16','towers','other',NULL,'towers-secret',NULL,NULL,NULL),
(4,'router.example.net','by-name','other',NULL,'secret',NULL,NULL,'a name, no address');
/*!40000 ALTER TABLE `nas` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `operators`
--

DROP TABLE IF EXISTS `operators`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `operators` (
  `id` int(32) NOT NULL AUTO_INCREMENT,
  `username` varchar(32) NOT NULL,
  `password` varchar(95) NOT NULL,
  `firstname` varchar(32) NOT NULL DEFAULT '',
  `lastname` varchar(32) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `operators`
--

LOCK TABLES `operators` WRITE;
/*!40000 ALTER TABLE `operators` DISABLE KEYS */;
INSERT INTO `operators` VALUES
(1,'administrator','radius','','');
/*!40000 ALTER TABLE `operators` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radacct`
--

DROP TABLE IF EXISTS `radacct`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `radacct` (
  `radacctid` bigint(21) NOT NULL AUTO_INCREMENT,
  `acctsessionid` varchar(64) NOT NULL DEFAULT '',
  `acctuniqueid` varchar(32) NOT NULL DEFAULT '',
  `username` varchar(64) NOT NULL DEFAULT '',
  `realm` varchar(64) DEFAULT '',
  `nasipaddress` varchar(15) NOT NULL DEFAULT '',
  `nasportid` varchar(32) DEFAULT NULL,
  `nasporttype` varchar(32) DEFAULT NULL,
  `acctstarttime` datetime DEFAULT NULL,
  `acctupdatetime` datetime DEFAULT NULL,
  `acctstoptime` datetime DEFAULT NULL,
  `acctinterval` int(12) DEFAULT NULL,
  `acctsessiontime` int(12) unsigned DEFAULT NULL,
  `acctauthentic` varchar(32) DEFAULT NULL,
  `connectinfo_start` varchar(128) DEFAULT NULL,
  `connectinfo_stop` varchar(128) DEFAULT NULL,
  `acctinputoctets` bigint(20) DEFAULT NULL,
  `acctoutputoctets` bigint(20) DEFAULT NULL,
  `calledstationid` varchar(50) NOT NULL DEFAULT '',
  `callingstationid` varchar(50) NOT NULL DEFAULT '',
  `acctterminatecause` varchar(32) NOT NULL DEFAULT '',
  `servicetype` varchar(32) DEFAULT NULL,
  `framedprotocol` varchar(32) DEFAULT NULL,
  `framedipaddress` varchar(15) NOT NULL DEFAULT '',
  `framedipv6address` varchar(45) NOT NULL DEFAULT '',
  `framedipv6prefix` varchar(45) NOT NULL DEFAULT '',
  `framedinterfaceid` varchar(44) NOT NULL DEFAULT '',
  `delegatedipv6prefix` varchar(45) NOT NULL DEFAULT '',
  `class` varchar(64) DEFAULT NULL,
  PRIMARY KEY (`radacctid`)
) ENGINE=InnoDB AUTO_INCREMENT=10 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radacct`
--

LOCK TABLES `radacct` WRITE;
/*!40000 ALTER TABLE `radacct` DISABLE KEYS */;
INSERT INTO `radacct` VALUES
(1,'81d00001','u0000000000000000000000000000001','ahmad.saleh','','10.0.0.1','15728641','Ethernet','2026-11-20 08:00:00','2026-11-22 08:55:00',NULL,NULL,175500,NULL,NULL,NULL,1200345678,45000123456,'pppoe-main','AA:BB:CC:DD:EE:01','','Framed-User','PPP','100.64.0.11','','','','',NULL),
(2,'80000a17','u0000000000000000000000000000002','AA:BB:CC:00:11:22','','10.0.0.2','bridge-hs','Wireless-802.11','2026-11-22 07:10:00','2026-11-22 08:50:00',NULL,NULL,6000,NULL,NULL,NULL,5000000,60000000,'hotspot1','AA:BB:CC:00:11:22','','Login-User',NULL,'10.5.50.20','','','','',NULL),
(3,'deadbeef','u0000000000000000000000000000003','expired','','10.0.0.1','1','Ethernet','2024-03-01 10:00:00','2024-03-01 11:00:00',NULL,NULL,3600,NULL,NULL,NULL,10,20,'pppoe-main','AA:BB:CC:DD:EE:02','','Framed-User','PPP','100.64.0.12','','','','',NULL),
(4,'81d00009','u0000000000000000000000000000004','josé','','192.0.2.77','9','Ethernet','2026-11-22 06:00:00',NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,'pppoe-x','AA:BB:CC:DD:EE:03','','Framed-User','PPP','100.64.0.13','','','','',NULL),
(5,'81c00001','u0000000000000000000000000000005','ahmad.saleh','','10.0.0.1','15728640','Ethernet','2026-11-05 08:00:00','2026-11-20 07:50:00','2026-11-20 07:59:00',NULL,1295940,NULL,NULL,NULL,3000000000,90000000000,'pppoe-main','AA:BB:CC:DD:EE:01','User-Request','Framed-User','PPP','100.64.0.11','','','','',NULL),
(6,'81c00002','u0000000000000000000000000000006','O\'Neil','','10.0.0.1','15728639','Ethernet','2026-10-28 08:00:00','2026-11-02 07:50:00','2026-11-02 08:00:00',NULL,432000,NULL,NULL,NULL,500000000,7000000000,'pppoe-main','AA:BB:CC:DD:EE:04','Lost-Carrier','Framed-User','PPP','100.64.0.14','','','','',NULL),
(7,'81b00001','u0000000000000000000000000000007','omar','','10.0.0.1','15728630','Ethernet','2026-10-01 08:00:00','2026-10-09 07:50:00','2026-10-09 08:00:00',NULL,691200,NULL,NULL,NULL,100,200,'pppoe-main','AA:BB:CC:DD:EE:05','NAS-Reboot','Framed-User','PPP','100.64.0.15','','','','',NULL),
(8,'81c00003','u0000000000000000000000000000008','سمير','','10.0.0.1','15728638','Ethernet','2026-11-03 08:00:00','2026-11-04 07:50:00','2026-11-04 08:00:00',NULL,86400,NULL,NULL,NULL,9007199254740993,9223372036854775807,'pppoe-main','AA:BB:CC:DD:EE:06','','Framed-User','PPP','100.64.0.16','','','','',NULL),
(9,'80000b18','u0000000000000000000000000000009','locked.device','','10.0.0.2','bridge-hs','Wireless-802.11','2026-11-10 07:10:00','2026-11-10 08:50:00','2026-11-10 09:00:00',NULL,6600,NULL,NULL,NULL,7000000,80000000,'hotspot1','00:1A:2B:3C:4D:5E','Session-Timeout','Login-User','','10.5.50.21','','','','',NULL);
/*!40000 ALTER TABLE `radacct` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radcheck`
--

DROP TABLE IF EXISTS `radcheck`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `radcheck` (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  `username` varchar(64) NOT NULL DEFAULT '',
  `attribute` varchar(64) NOT NULL DEFAULT '',
  `op` char(2) NOT NULL DEFAULT '==',
  `value` varchar(253) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=43 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radcheck`
--

LOCK TABLES `radcheck` WRITE;
/*!40000 ALTER TABLE `radcheck` DISABLE KEYS */;
INSERT INTO `radcheck` VALUES
(1,'ahmad.saleh','Cleartext-Password',':=','ahmad-2024'),
(2,'ahmad.saleh','Expiration',':=','20 Dec 2026'),
(3,'ahmad.saleh','Simultaneous-Use',':=','1'),
(4,'O\'Neil','Cleartext-Password',':=','p\'a\"s\\s%w_d'),
(5,'O\'Neil','Expiration',':=','20 Dec 2026 18:30:00'),
(6,'omar','Cleartext-Password',':=','omar-1'),
(7,'Omar','Cleartext-Password',':=','omar-2'),
(8,'khaled ','Cleartext-Password',':=','with a blank behind its name'),
(9,'سمير','Cleartext-Password',':=','كلمة السر 🔑'),
(10,'سمير','Expiration',':=','December 31 2026 23:59:59'),
(11,'josé','Cleartext-Password',':=','contraseña'),
(12,'josé','Expiration',':=','2026-12-24 12:00:00'),
(13,'expired','Cleartext-Password',':=','late'),
(14,'expired','Expiration',':=','01 Jan 2025 00:00'),
(15,'never.ends','Cleartext-Password',':=','never'),
(16,'old.style','User-Password','==','written in the old way'),
(17,'hash.crypt','Crypt-Password',':=','$2y$10$abcdefghijklmnopqrstuuJ3h4Zb8m0Q9x1y2z3A4B5C6D7E8F9G0'),
(18,'hash.md5','MD5-Password',':=','5f4dcc3b5aa765d61d8327deb882cf99'),
(19,'hash.ssha','SSHA-Password',':=','nU4eI71bcnBGqeO0t9tXvY1u5oQzaGFz'),
(20,'hash.nt','NT-Password',':=','8846F7EAEE8FB117AD06BDD830B7586C'),
(21,'nt.and.clear','NT-Password',':=','8846F7EAEE8FB117AD06BDD830B7586C'),
(22,'nt.and.clear','Cleartext-Password',':=','password'),
(23,'empty.password','Cleartext-Password',':=',''),
(24,'rejected','Cleartext-Password',':=','stays out'),
(25,'rejected','Auth-Type',':=','Reject'),
(26,'accepted','Auth-Type',':=','Accept'),
(27,'AA:BB:CC:00:11:22','Auth-Type',':=','Accept'),
(28,'aa-bb-cc-00-11-23','Cleartext-Password',':=','aa-bb-cc-00-11-23'),
(29,'locked.device','Cleartext-Password',':=','one device'),
(30,'locked.device','Calling-Station-Id','==','00:1A:2B:3C:4D:5E'),
(31,'daily.hours','Cleartext-Password',':=','three hours'),
(32,'daily.hours','Max-Daily-Session',':=','10800'),
(33,'all.hours','Cleartext-Password',':=','ten hours'),
(34,'all.hours','Max-All-Session',':=','36000'),
(35,'days.from.first','Cleartext-Password',':=','thirty days'),
(36,'days.from.first','Access-Period',':=','2592000'),
(37,'two.groups','Cleartext-Password',':=','two groups'),
(38,'own.terms','Cleartext-Password',':=','own terms'),
(39,'static.ip','Cleartext-Password',':=','static'),
(40,'disabled.user','Cleartext-Password',':=','was put out'),
(41,'semi;colon','Cleartext-Password',':=','a;b -- c /* d */ # e `f`'),
(42,'INSERT INTO radcheck','Cleartext-Password',':=','\'); DROP TABLE radcheck; -- ');
/*!40000 ALTER TABLE `radcheck` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radgroupcheck`
--

DROP TABLE IF EXISTS `radgroupcheck`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `radgroupcheck` (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  `groupname` varchar(64) NOT NULL DEFAULT '',
  `attribute` varchar(64) NOT NULL DEFAULT '',
  `op` char(2) NOT NULL DEFAULT '==',
  `value` varchar(253) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=6 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radgroupcheck`
--

LOCK TABLES `radgroupcheck` WRITE;
/*!40000 ALTER TABLE `radgroupcheck` DISABLE KEYS */;
INSERT INTO `radgroupcheck` VALUES
(1,'10M','Simultaneous-Use',':=','1'),
(2,'20M Gold','Simultaneous-Use',':=','3'),
(3,'hotspot-1h','Max-All-Session',':=','3600'),
(4,'10M','Framed-Protocol','==','PPP'),
(5,'daloRADIUS-Disabled-Users','Auth-Type',':=','Reject');
/*!40000 ALTER TABLE `radgroupcheck` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radgroupreply`
--

DROP TABLE IF EXISTS `radgroupreply`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `radgroupreply` (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  `groupname` varchar(64) NOT NULL DEFAULT '',
  `attribute` varchar(64) NOT NULL DEFAULT '',
  `op` char(2) NOT NULL DEFAULT '=',
  `value` varchar(253) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=13 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radgroupreply`
--

LOCK TABLES `radgroupreply` WRITE;
/*!40000 ALTER TABLE `radgroupreply` DISABLE KEYS */;
INSERT INTO `radgroupreply` VALUES
(1,'10M','Mikrotik-Rate-Limit',':=','2M/10M'),
(2,'10M','Framed-Pool',':=','pool-10m'),
(3,'10M','Acct-Interim-Interval',':=','300'),
(4,'20M Gold','Mikrotik-Rate-Limit','=','5M/20M 10M/40M 4M/16M 10/10'),
(5,'20M Gold','Mikrotik-Address-List',':=','gold'),
(6,'20M Gold','Idle-Timeout',':=','1200'),
(7,'ذهبي','WISPr-Bandwidth-Max-Up',':=','4000000'),
(8,'ذهبي','WISPr-Bandwidth-Max-Down',':=','16000000'),
(9,'hotspot-1h','Mikrotik-Rate-Limit',':=','1M/2M'),
(10,'hotspot-1h','Session-Timeout',':=','3600'),
(11,'hotspot-1h','Mikrotik-Total-Limit',':=','1073741824'),
(12,'bad-rate','Mikrotik-Rate-Limit',':=','very fast');
/*!40000 ALTER TABLE `radgroupreply` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radpostauth`
--

DROP TABLE IF EXISTS `radpostauth`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `radpostauth` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `username` varchar(64) NOT NULL DEFAULT '',
  `pass` varchar(64) NOT NULL DEFAULT '',
  `reply` varchar(32) NOT NULL DEFAULT '',
  `authdate` timestamp(6) NOT NULL DEFAULT current_timestamp(6),
  `class` varchar(64) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radpostauth`
--

LOCK TABLES `radpostauth` WRITE;
/*!40000 ALTER TABLE `radpostauth` DISABLE KEYS */;
INSERT INTO `radpostauth` VALUES
(1,'ahmad.saleh','ahmad-2024','Access-Accept','2026-11-20 08:00:00.123456',NULL),
(2,'o\'neil','wrong \"one\"','Access-Reject','2026-11-20 09:00:00.000000',NULL);
/*!40000 ALTER TABLE `radpostauth` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radreply`
--

DROP TABLE IF EXISTS `radreply`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `radreply` (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  `username` varchar(64) NOT NULL DEFAULT '',
  `attribute` varchar(64) NOT NULL DEFAULT '',
  `op` char(2) NOT NULL DEFAULT '=',
  `value` varchar(253) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=10 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radreply`
--

LOCK TABLES `radreply` WRITE;
/*!40000 ALTER TABLE `radreply` DISABLE KEYS */;
INSERT INTO `radreply` VALUES
(1,'own.terms','Mikrotik-Rate-Limit',':=','3M/12M 5M/20M 2M/8M 16/16 8'),
(2,'own.terms','Framed-Pool',':=','pool-own'),
(3,'static.ip','Framed-IP-Address',':=','100.64.7.7'),
(4,'static.ip','Framed-IPv6-Prefix',':=','2001:db8:7::/64'),
(5,'static.ip','Delegated-IPv6-Prefix',':=','2001:db8:700::/56'),
(6,'ahmad.saleh','Reply-Message','=','Welcome,\nthis is the \"second\" line	and a tab'),
(7,'daily.hours','Session-Timeout',':=','3600'),
(8,'daily.hours','Idle-Timeout',':=','600'),
(9,'josé','Framed-Route','+=','10.9.0.0/24 0.0.0.0 1');
/*!40000 ALTER TABLE `radreply` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radusergroup`
--

DROP TABLE IF EXISTS `radusergroup`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `radusergroup` (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  `username` varchar(64) NOT NULL DEFAULT '',
  `groupname` varchar(64) NOT NULL DEFAULT '',
  `priority` int(11) NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=31 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radusergroup`
--

LOCK TABLES `radusergroup` WRITE;
/*!40000 ALTER TABLE `radusergroup` DISABLE KEYS */;
INSERT INTO `radusergroup` VALUES
(1,'ahmad.saleh','10M',1),
(2,'O\'Neil','10M',1),
(3,'omar','10M',1),
(4,'Omar','20M Gold',1),
(5,'khaled ','20M Gold',1),
(6,'سمير','ذهبي',1),
(7,'josé','20M Gold',1),
(8,'expired','10M',1),
(9,'never.ends','10M',1),
(10,'old.style','10M',1),
(11,'hash.crypt','10M',1),
(12,'hash.md5','10M',1),
(13,'hash.nt','20M Gold',1),
(14,'nt.and.clear','20M Gold',1),
(15,'empty.password','10M',1),
(16,'rejected','10M',1),
(17,'accepted','hotspot-1h',1),
(18,'AA:BB:CC:00:11:22','hotspot-1h',1),
(19,'aa-bb-cc-00-11-23','hotspot-1h',1),
(20,'locked.device','10M',1),
(21,'daily.hours','hotspot-1h',1),
(22,'all.hours','hotspot-1h',1),
(23,'two.groups','20M Gold',10),
(24,'two.groups','10M',2),
(25,'own.terms','10M',1),
(26,'static.ip','20M Gold',1),
(27,'disabled.user','10M',1),
(28,'disabled.user','daloRADIUS-Disabled-Users',0),
(29,'semi;colon','10M',1),
(30,'only.in.a.group','10M',1);
/*!40000 ALTER TABLE `radusergroup` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `userbillinfo`
--

DROP TABLE IF EXISTS `userbillinfo`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `userbillinfo` (
  `id` int(8) unsigned NOT NULL AUTO_INCREMENT,
  `username` varchar(128) DEFAULT NULL,
  `planname` varchar(128) DEFAULT NULL,
  `hotspot_id` int(32) DEFAULT NULL,
  `hotspotlocation` varchar(32) DEFAULT NULL,
  `contactperson` varchar(200) DEFAULT NULL,
  `company` varchar(200) DEFAULT NULL,
  `email` varchar(200) DEFAULT NULL,
  `phone` varchar(200) DEFAULT NULL,
  `address` varchar(200) DEFAULT NULL,
  `city` varchar(200) DEFAULT NULL,
  `state` varchar(200) DEFAULT NULL,
  `country` varchar(200) DEFAULT NULL,
  `zip` varchar(200) DEFAULT NULL,
  `paymentmethod` varchar(200) DEFAULT NULL,
  `cash` varchar(200) DEFAULT NULL,
  `creditcardname` varchar(200) DEFAULT NULL,
  `creditcardnumber` varchar(200) DEFAULT NULL,
  `creditcardverification` varchar(200) DEFAULT NULL,
  `creditcardtype` varchar(200) DEFAULT NULL,
  `creditcardexp` varchar(200) DEFAULT NULL,
  `notes` varchar(200) DEFAULT NULL,
  `changeuserbillinfo` varchar(128) DEFAULT NULL,
  `lead` varchar(200) DEFAULT NULL,
  `coupon` varchar(200) DEFAULT NULL,
  `ordertaker` varchar(200) DEFAULT NULL,
  `billstatus` varchar(200) DEFAULT NULL,
  `lastbill` date NOT NULL DEFAULT '0000-00-00',
  `nextbill` date NOT NULL DEFAULT '0000-00-00',
  `nextinvoicedue` int(32) DEFAULT NULL,
  `billdue` int(32) DEFAULT NULL,
  `postalinvoice` varchar(8) DEFAULT NULL,
  `faxinvoice` varchar(8) DEFAULT NULL,
  `emailinvoice` varchar(8) DEFAULT NULL,
  `batch_id` int(32) DEFAULT NULL,
  `creationdate` datetime DEFAULT '0000-00-00 00:00:00',
  `creationby` varchar(128) DEFAULT NULL,
  `updatedate` datetime DEFAULT '0000-00-00 00:00:00',
  `updateby` varchar(128) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `userbillinfo`
--

LOCK TABLES `userbillinfo` WRITE;
/*!40000 ALTER TABLE `userbillinfo` DISABLE KEYS */;
INSERT INTO `userbillinfo` VALUES
(1,'ahmad.saleh','Home 10M',NULL,NULL,'Ahmad Saleh',NULL,'billing@example.net','0790000001','12 Rainbow St.','Amman',NULL,NULL,NULL,'cash',NULL,'AHMAD SALEH','4111111111111111','123',NULL,'12/27','',NULL,NULL,NULL,NULL,NULL,'2026-11-01','2026-12-01',NULL,NULL,NULL,NULL,NULL,NULL,'0000-00-00 00:00:00',NULL,'0000-00-00 00:00:00',NULL),
(2,'O\'Neil','Home 10M',NULL,NULL,'',NULL,'','','','',NULL,NULL,NULL,'',NULL,'','','',NULL,'','',NULL,NULL,NULL,NULL,NULL,'0000-00-00','0000-00-00',NULL,NULL,NULL,NULL,NULL,NULL,'0000-00-00 00:00:00',NULL,'0000-00-00 00:00:00',NULL),
(3,'Omar','Gold \"20\"',NULL,NULL,'',NULL,'','','','',NULL,NULL,NULL,'',NULL,'','','',NULL,'','',NULL,NULL,NULL,NULL,NULL,'2026-11-01','2026-12-01',NULL,NULL,NULL,NULL,NULL,NULL,'0000-00-00 00:00:00',NULL,'0000-00-00 00:00:00',NULL),
(4,'سمير','باقة ذهبية',NULL,NULL,'',NULL,'','','','',NULL,NULL,NULL,'',NULL,'','','',NULL,'','',NULL,NULL,NULL,NULL,NULL,'0000-00-00','0000-00-00',NULL,NULL,NULL,NULL,NULL,NULL,'0000-00-00 00:00:00',NULL,'0000-00-00 00:00:00',NULL),
(5,'aa-bb-cc-00-11-23','Hotspot hour',NULL,NULL,'',NULL,'','','','',NULL,NULL,NULL,'',NULL,'','','',NULL,'','',NULL,NULL,NULL,NULL,NULL,'0000-00-00','0000-00-00',NULL,NULL,NULL,NULL,NULL,1,'0000-00-00 00:00:00',NULL,'0000-00-00 00:00:00',NULL),
(6,'only.in.userinfo','No such plan',NULL,NULL,'',NULL,'','','','',NULL,NULL,NULL,'',NULL,'','','',NULL,'','',NULL,NULL,NULL,NULL,NULL,'0000-00-00','0000-00-00',NULL,NULL,NULL,NULL,NULL,NULL,'0000-00-00 00:00:00',NULL,'0000-00-00 00:00:00',NULL);
/*!40000 ALTER TABLE `userbillinfo` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `userinfo`
--

DROP TABLE IF EXISTS `userinfo`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `userinfo` (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  `username` varchar(128) DEFAULT NULL,
  `firstname` varchar(200) DEFAULT NULL,
  `lastname` varchar(200) DEFAULT NULL,
  `email` varchar(200) DEFAULT NULL,
  `department` varchar(200) DEFAULT NULL,
  `company` varchar(200) DEFAULT NULL,
  `workphone` varchar(200) DEFAULT NULL,
  `homephone` varchar(200) DEFAULT NULL,
  `mobilephone` varchar(200) DEFAULT NULL,
  `address` varchar(200) DEFAULT NULL,
  `city` varchar(200) DEFAULT NULL,
  `state` varchar(200) DEFAULT NULL,
  `country` varchar(100) DEFAULT NULL,
  `zip` varchar(200) DEFAULT NULL,
  `notes` varchar(200) DEFAULT NULL,
  `changeuserinfo` varchar(128) DEFAULT NULL,
  `portalloginpassword` varchar(128) DEFAULT '',
  `enableportallogin` int(32) DEFAULT 0,
  `creationdate` datetime DEFAULT '0000-00-00 00:00:00',
  `creationby` varchar(128) DEFAULT NULL,
  `updatedate` datetime DEFAULT '0000-00-00 00:00:00',
  `updateby` varchar(128) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=11 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `userinfo`
--

LOCK TABLES `userinfo` WRITE;
/*!40000 ALTER TABLE `userinfo` DISABLE KEYS */;
INSERT INTO `userinfo` VALUES
(1,'ahmad.saleh','Ahmad','Saleh','ahmad@example.net',NULL,'','','06-5551234','0790000001','12 Rainbow St.\nbehind the bakery','Amman',NULL,'Jordan',NULL,'pays on the 5th',NULL,'$2y$10$portalhash',0,'2023-02-01 10:00:00','administrator','0000-00-00 00:00:00',NULL),
(2,'O\'Neil','Seán','O\'Neil','sean@example.net',NULL,'O\'Neil & Sons','','','+962 79 000 0002','5 \"Old\" Road','Amman',NULL,'Jordan',NULL,NULL,NULL,'',0,'2023-03-01 10:00:00','administrator','0000-00-00 00:00:00',NULL),
(3,'omar','Omar','Haddad','omar@example.net',NULL,'','','','0790000003','','Zarqa',NULL,'',NULL,'',NULL,'',0,'2023-04-01 10:00:00','clerk','0000-00-00 00:00:00',NULL),
(4,'Omar','Omar','Nasser','omar@example.net',NULL,'','','','0790000003','','Zarqa',NULL,'',NULL,'',NULL,'',0,'2023-04-02 10:00:00','clerk','0000-00-00 00:00:00',NULL),
(5,'سمير','سمير','الخطيب','',NULL,'','','','٠٧٩٠٠٠٠٠٠٥','شارع الجامعة، عمارة ٥','إربد',NULL,'الأردن',NULL,'يدفع نقدًا 👍',NULL,'',0,'2024-01-01 00:00:00',NULL,'0000-00-00 00:00:00',NULL),
(6,'josé','José','Muñoz','root@localhost',NULL,'','','','0','N/A','-',NULL,'',NULL,'',NULL,'',0,'0000-00-00 00:00:00',NULL,'0000-00-00 00:00:00',NULL),
(7,'expired','','','1',NULL,'','','','1234','','',NULL,'',NULL,NULL,NULL,'',0,'2022-01-01 00:00:00',NULL,'0000-00-00 00:00:00',NULL),
(8,'static.ip','Static',NULL,NULL,NULL,'Clinic','065550000','','','','Amman',NULL,'',NULL,NULL,NULL,'',0,'2022-01-01 00:00:00',NULL,'0000-00-00 00:00:00',NULL),
(9,'disabled.user','Gone','Away','',NULL,'','','','','','',NULL,'',NULL,'moved out',NULL,'',0,'2021-01-01 00:00:00',NULL,'0000-00-00 00:00:00',NULL),
(10,'only.in.userinfo','No','Line','',NULL,'','','','0790000010','','',NULL,'',NULL,NULL,NULL,'',0,'2021-01-01 00:00:00',NULL,'0000-00-00 00:00:00',NULL);
/*!40000 ALTER TABLE `userinfo` ENABLE KEYS */;
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
