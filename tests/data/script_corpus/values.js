var a = {b: [1, undefined, NaN, -0, 'x', null, true], when: new Date(5), '#xml': '<q/>', s: '\u00e4\ud83d\ude00'};
for (var k in a) { try { a[k] = JSON.parse(JSON.stringify(a[k])); } catch (e) { a.e = String(e); } }
function f(x) { return /(a+)b/.exec(x) || [x].concat(arguments.length); }
var c = f('aab'), d = echo({x: [_event.name, config]}), g = In('a') ? shout('y', true) : eval('1');
