'use strict';

// The same ranges as "engines" in package.json; a test compares them. The floors inside 22 and 24 are the first releases
// that decode windows-1252 correctly. Older ones silently turn the euro sign of a supplier's file into an invisible
// control character (nodejs/node#60888).
function isSupported(version) {
  var parts = version.split('.');
  var major = parseInt(parts[0], 10);
  var minor = parseInt(parts[1], 10);
  var patch = parseInt(parts[2], 10);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 1);
  if (major === 24) return minor >= 14;
  return major >= 26;
}

/** The sentence for a user whose Node is too old; undefined for a supported one. */
function unsupportedReason(version, execPath) {
  if (isSupported(version)) return undefined;
  return (
    'needs Node.js 22.22.1 or later in 22, 24.14 or later in 24, or 26 and newer, but this is ' +
    version +
    ' (' +
    execPath +
    '); install the current LTS from https://nodejs.org/ and run the command again.'
  );
}

exports.isSupported = isSupported;
exports.unsupportedReason = unsupportedReason;
