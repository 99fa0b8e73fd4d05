// What the router's pages do beyond what they are without it, in ES5: phones of 2015 open them in the browser that they were sold with.
// Before it stand `md5` and `refusals`: which words of a language say what the router or RADIUS says.
(function () {
  "use strict";
  var html = document.documentElement;
  var byId = function (id) {
    return document.getElementById(id);
  };
  var each = function (selector, call) {
    Array.prototype.forEach.call(document.querySelectorAll(selector), call);
  };
  html.className = "js";

  // What the servlet escaped for an address: blanks are plus signs.
  var unescaped = function (text) {
    try {
      return decodeURIComponent((text || "").replace(/\+/g, " "));
    } catch (malformed) {
      return "";
    }
  };
  var isLink = function (text) {
    return /^https?:\/\//i.test(text);
  };

  // Capitals without blanks and dashes, digits of other scripts as those of ours, as the server compares a code.
  var zeros = [0x9e6, 0x966, 0x6f0, 0x660];
  var normalCode = function (typed) {
    return typed
      .replace(/[\s\u00ad\u058a\u05be\u200b-\u200f\u2010-\u2015\u2060\u2212\ufe58\ufe63\uff0d\ufeff-]+/g, "")
      .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef]/g, function (digit) {
        var code = digit.charCodeAt(0);
        var zero = zeros.filter(function (first) {
          return first <= code;
        })[0];
        return String(code - zero);
      })
      .toUpperCase();
  };

  // The servlet writes the bytes of the challenge as \ooo.
  var bytesOf = function (text) {
    return text.replace(/\\([0-7]{3})/g, function (_, octal) {
      return String.fromCharCode(parseInt(octal, 8));
    });
  };
  var utf8 = function (text) {
    return unescape(encodeURIComponent(text));
  };

  var form = byId("login");

  var send = function (name, password) {
    var data = form.dataset;
    var to = unescaped(data.to);
    var fields = {
      username: name,
      password: data.chapId
        ? window.md5(bytesOf(data.chapId) + utf8(password) + bytesOf(data.chapChallenge))
        : password,
      dst: isLink(to) ? to : "",
      popup: "false",
    };
    var sent = document.createElement("form");
    sent.method = "post";
    sent.action = form.action;
    Object.keys(fields).forEach(function (key) {
      var field = document.createElement("input");
      field.type = "hidden";
      field.name = key;
      field.value = fields[key];
      sent.appendChild(field);
    });
    document.body.appendChild(sent);
    html.classList.add("sending");
    sent.submit();
  };

  // A picture that logs in has name and password in its address. Where only hashed ones are taken, the router has not understood it.
  var fromAddress = function () {
    if (!form.dataset.chapId || form.dataset.plain === "yes") return;
    var given = {};
    location.search
      .slice(1)
      .split("&")
      .forEach(function (pair) {
        var at = pair.indexOf("=");
        if (at > 0) given[pair.slice(0, at)] = unescaped(pair.slice(at + 1));
      });
    if (!given.username || !given.password) return;
    var code = normalCode(given.username);
    var isCode = code === normalCode(given.password);
    window.addEventListener("pageshow", function (event) {
      if (event.persisted) return; // somebody came back, and does not want to send it again
      history.replaceState(null, "", location.pathname); // the phone's history need not keep it
      if (isCode) send(code, code);
      else send(given.username, given.password);
    });
  };

  var startLogin = function () {
    var username = form.elements.username;
    var password = form.elements.password;
    var more = byId("more");
    var typed = unescaped(form.dataset.typed).replace(/^T-[0-9a-f:]{17}$/i, ""); // a trial's name is nobody's
    if (typed) username.value = typed;
    var folds = "open" in more; // browsers that cannot always show both fields
    if (folds) more.open = typed !== "" && typed !== normalCode(typed); // it was a name, not a code
    var isNamed = function () {
      return folds ? more.open : password.value !== "";
    };
    var choose = function () {
      var named = isNamed();
      if (named) html.classList.add("named");
      else html.classList.remove("named");
      password.required = named;
      username.setAttribute("autocapitalize", named ? "none" : "characters");
    };
    more.addEventListener("toggle", choose);
    password.addEventListener("input", choose);
    choose();
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      if (html.classList.contains("sending")) return;
      var code = normalCode(username.value);
      if (isNamed()) send(username.value.trim(), password.value);
      else if (code) send(code, code);
    });
    window.addEventListener("pageshow", function () {
      html.classList.remove("sending");
    });
    fromAddress();
  };

  // Pages by which devices try whether they are online: nothing to see there.
  var probes =
    /generate_?204|gen_204|hotspot-detect|captive\.apple|connecttest|ncsi\.txt|success\.(txt|html)|canonical\.html/i;
  var goOn = byId("go-on");
  var startGoingOn = function () {
    var to = unescaped(goOn.dataset.to);
    if (isLink(to) && !probes.test(to)) goOn.href = to;
    setTimeout(function () {
      location.replace(goOn.href);
    }, 2000);
  };

  var shownNumber = function (number, words, digits) {
    return number.toLocaleString(words.tag, { maximumFractionDigits: digits });
  };

  var shownSeconds = function (seconds, words) {
    var parts = [
      [Math.floor(seconds / 86400), words.day],
      [Math.floor(seconds / 3600) % 24, words.hour],
      [Math.floor(seconds / 60) % 60, words.minute],
      [seconds % 60, words.second],
    ];
    while (parts.length > 1 && parts[0][0] === 0) parts.shift();
    return parts
      .slice(0, 2)
      .filter(function (part, at) {
        return at === 0 || part[0] > 0;
      })
      .map(function (part) {
        return shownNumber(part[0], words, 0) + " " + part[1];
      })
      .join(" ");
  };

  var shownBytes = function (bytes, words) {
    var units = ["B", "KB", "MB", "GB", "TB"];
    var size = bytes;
    var unit = 0;
    for (; size >= 1000 && unit < 4; unit++) size /= 1000;
    return "\u2068" + shownNumber(size, words, size < 10 && unit > 0 ? 1 : 0) + " " + units[unit] + "\u2069";
  };

  var error = byId("error");
  var said = error ? error.textContent.trim() : "";

  // A file of words calls this.
  window.hotspotWords = function (language) {
    var words = language.words;
    html.lang = words.tag;
    html.dir = language.dir;
    each("[data-w]", function (one) {
      one.textContent = words[one.dataset.w];
    });
    each("[data-seconds]", function (one) {
      var seconds = one.dataset.seconds;
      if (/^\d+$/.test(seconds)) one.textContent = shownSeconds(+seconds, words);
    });
    each("[data-bytes]", function (one) {
      var numbers = /^(\d+)(?:\+(\d+))?$/.exec(one.dataset.bytes);
      if (numbers) one.textContent = shownBytes(+numbers[1] + +(numbers[2] || 0), words);
    });
    document.title = document.querySelector("h1").textContent;
    if (error && window.refusals[said]) error.textContent = words[window.refusals[said]];
  };

  var KEY = "hotspot-language";
  var remembered = function () {
    try {
      return localStorage.getItem(KEY);
    } catch (forbidden) {
      return null;
    }
  };
  var remember = function (tag) {
    try {
      localStorage.setItem(KEY, tag);
    } catch (forbidden) {
      // a browser that keeps nothing asks again
    }
  };

  var load = function (tag) {
    var script = document.createElement("script");
    script.src = "words-" + tag + ".js";
    document.head.appendChild(script);
  };

  var menu = byId("language");
  var startLanguages = function () {
    var known = Array.prototype.map.call(menu.options, function (option) {
      return option.value;
    });
    var chosen = [remembered()]
      .concat(navigator.languages || navigator.language)
      .map(function (tag) {
        var language = (tag || "").toLowerCase().split("-")[0];
        return language === "in" ? "id" : language; // as old Android names Indonesian
      })
      .filter(function (tag) {
        return known.indexOf(tag) >= 0;
      })[0];
    menu.value = chosen || html.lang;
    menu.addEventListener("change", function () {
      remember(menu.value);
      load(menu.value);
    });
    load(menu.value);
  };

  // What is left is asked for again as often as the router says.
  var fresh = document.querySelector("[data-fresh]");
  var startRefreshing = function () {
    var seconds = Number(fresh.dataset.fresh);
    if (seconds > 0)
      setTimeout(function () {
        location.reload();
      }, seconds * 1000);
  };

  startLanguages();
  if (fresh) startRefreshing();
  if (form) startLogin();
  if (goOn) startGoingOn();
})();
