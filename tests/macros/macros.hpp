// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that other people's headers leave behind. Here each stands for what no compiler accepts,
// so that a header of ours which uses one of these names as its own does not compile.
#pragma once

// Qt without QT_NO_KEYWORDS
#define slots @
#define signals @
#define emit @
#define foreach(...) @
#define forever @
#define Q_SLOTS @
#define Q_SIGNALS @
#define Q_EMIT @

// <complex.h>, which <complex> and <math.h> bring along with -std=gnu++20
#undef I
#undef complex
#undef imaginary
#define I @
#define complex @
#define imaginary @

// <windows.h> and what it includes
#define min(...) @
#define max(...) @
#define small @
#define near @
#define far @
#define hyper @
#define cdecl @
#define pascal @
#define interface @
#define ERROR @
#define DELETE @
#define IN @
#define OUT @
#define OPTIONAL @
#define CONST @
#define VOID @
#define TRUE @
#define FALSE @
#define STRICT @
#define PURE @
#define THIS @
#define NO_ERROR @
#define ABSOLUTE @
#define RELATIVE @
#define TRANSPARENT @
#define OPAQUE @
#define CALLBACK @
#define IGNORE @
#define INFINITE @
#define SEVERITY_ERROR @
#define CreateEvent @
#define CreateThread @
#define GetMessage @
#define SendMessage @
#define Yield(...) @

// <X11/Xlib.h>
#define None @
#define Bool @
#define Status @
#define Success @
#define Always @
#define True @
#define False @
#define Complex @
#define Convex @
#define Expose @
#define Unsorted @
#define index(...) @
#define rindex(...) @

// <sys/sysmacros.h>
#undef major
#undef minor
#undef makedev
#define major(...) @
#define minor(...) @
#define makedev(...) @

// <AssertMacros.h> of macOS, and game engines
#define check(...) @
#define verify(...) @
#define require(...) @
#define ensure(...) @

// compilers that are not told to keep to the standard
#undef linux
#undef unix
#undef i386
#define linux @
#define unix @
#define i386 @

// gettext, Linux' compiler.h, Arduino.h, Objective-C
#define _(...) @
#define N_(...) @
#define likely(...) @
#define unlikely(...) @
#define nil @
#define Nil @
#define YES @
#define NO @
#define HIGH @
#define LOW @
#define INPUT @
#define OUTPUT @

// one letter
#define A @
#define B @
#define C @
#define D @
#define E @
#define F @
#define G @
#define H @
#define J @
#define K @
#define L @
#define M @
#define N @
#define O @
#define P @
#define Q @
#define R @
#define S @
#define T @
#define U @
#define V @
#define W @
#define X @
#define Y @
#define Z @
