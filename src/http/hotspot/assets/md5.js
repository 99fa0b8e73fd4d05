// MD5 (RFC 1321) of a string whose characters are bytes, as 32 hexadecimal digits. In ES5, as hotspot.js.
window.md5 = (function () {
  "use strict";
  var sines = [];
  for (var at = 0; at < 64; at++) sines.push(Math.floor(Math.abs(Math.sin(at + 1)) * 4294967296) | 0);
  var shifts = [
    [7, 12, 17, 22],
    [5, 9, 14, 20],
    [4, 11, 16, 23],
    [6, 10, 15, 21],
  ];
  var factors = [1, 5, 3, 7];
  var offsets = [0, 1, 5, 0];

  var mix = function (round, b, c, d) {
    if (round === 0) return (b & c) | (~b & d);
    if (round === 1) return (b & d) | (c & ~d);
    return round === 2 ? b ^ c ^ d : c ^ (b | ~d);
  };

  var wordsOf = function (bytes) {
    var words = [];
    var length = (((bytes.length + 8) >> 6) + 1) * 16;
    for (var word = 0; word < length; word++) words.push(0);
    for (var i = 0; i < bytes.length; i++) words[i >> 2] |= (bytes.charCodeAt(i) & 255) << ((i % 4) * 8);
    words[bytes.length >> 2] |= 128 << ((bytes.length % 4) * 8);
    words[length - 2] = bytes.length * 8;
    return words;
  };

  var hex = function (word) {
    var text = "";
    for (var i = 0; i < 4; i++) text += ("0" + ((word >>> (i * 8)) & 255).toString(16)).slice(-2);
    return text;
  };

  /** The state after one block of 16 words, which begins at `start`. */
  var afterBlock = function (state, words, start) {
    var a = state[0];
    var b = state[1];
    var c = state[2];
    var d = state[3];
    for (var i = 0; i < 64; i++) {
      var round = i >> 4;
      var place = (factors[round] * i + offsets[round]) % 16;
      var sum = (a + mix(round, b, c, d) + sines[i] + words[start + place]) | 0;
      var shift = shifts[round][i % 4];
      a = d;
      d = c;
      c = b;
      b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0;
    }
    return [(state[0] + a) | 0, (state[1] + b) | 0, (state[2] + c) | 0, (state[3] + d) | 0];
  };

  return function (bytes) {
    var words = wordsOf(bytes);
    var state = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
    for (var start = 0; start < words.length; start += 16) state = afterBlock(state, words, start);
    return state.map(hex).join("");
  };
})();
